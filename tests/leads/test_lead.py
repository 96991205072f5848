"""A lead: created, read, replaced, disqualified, deleted."""

import pytest

from tests.support import codes

FULL = {
    "first_name": "Zoë",
    "last_name": "Ångström",
    "email": "Zoe@example.com",
    "phone": "+49 (30) 123-45",
    "company": "Müller & Söhne GmbH",
    "job_title": "CTO",
    "source": "fair",
    "status": "contacted",
    "notes": "Met at the fair 🎈",
    "tags": "warm, berlin",
}


@pytest.fixture
def lead(member):
    return member.post("/api/leads", FULL, status=201).json


def test_a_created_lead_is_answered_whole(organization, member):
    assigned = organization.users["colleague"]
    response = member.post("/api/leads", {**FULL, "assigned_to": assigned}, status=201)
    lead = response.json
    assert response.headers["Location"] == f"https://pipeline.example/api/leads/{lead['id']}"
    assert {name: lead[name] for name in FULL} == FULL
    assert (lead["name"], lead["company_name"]) == ("Zoë Ångström", FULL["company"])
    assert (lead["assigned_to"], lead["assigned_to_name"]) == (assigned, "Colleague")
    assert lead["organization_id"] == organization.id
    assert (lead["note_entries"], lead["tasks"]) == ([], [])
    assert member.get(response.headers["Location"].removeprefix("https://pipeline.example")).json == lead


def test_a_single_name_is_a_lead(member):
    lead = member.post("/api/leads", {"first_name": "Cher"}, status=201).json
    assert (lead["name"], lead["last_name"]) == ("Cher", None)
    assert (lead["status"], lead["source"], lead["assigned_to"]) == ("new", "manual", None)


def test_a_lead_needs_a_first_name(member):
    for body in ({}, {"first_name": " "}, {"first_name": None}):
        assert codes(member.post("/api/leads", body, status=422)) == [("first_name", "required")]


def test_a_lead_is_assigned_to_active_seats_only(organization, new_organization, member, lead):
    stranger = new_organization().users["member"]
    for user in (organization.users["inactive"], stranger, 9_000_000_000):
        expected = [("assigned_to", "unknown_reference")]
        assert codes(member.post("/api/leads", {"first_name": "Pat", "assigned_to": user}, status=422)) == expected
        path = f"/api/leads/{lead['id']}"
        assert codes(member.put(path, {"first_name": "Pat", "assigned_to": user}, status=422)) == expected


def test_an_update_replaces_every_field_but_the_status(member, lead):
    changed = member.put(f"/api/leads/{lead['id']}", {"first_name": "Zoe"}, status=200).json
    assert changed["status"] == "contacted"
    assert changed["source"] == "manual"
    assert [changed[name] for name in ("last_name", "email", "phone", "company", "notes", "tags")] == [None] * 6
    assert changed["updated_at"] > lead["updated_at"]
    assert changed["created_at"] == lead["created_at"]


def test_disqualifying_stores_the_reason_and_replaces_an_earlier_one(member, lead):
    path = f"/api/leads/{lead['id']}/disqualify"
    first = member.put(path, {"reason": "No budget"}, status=200).json
    assert (first["status"], first["disqualify_reason"]) == ("disqualified", "No budget")
    second = member.put(path, {"reason": "Competitor"}, status=200).json
    assert (second["disqualify_reason"], second["disqualified_at"]) == ("Competitor", first["disqualified_at"])
    assert member.put(path, status=200).json["disqualify_reason"] is None


def test_any_other_status_clears_the_reason(member, lead):
    path = f"/api/leads/{lead['id']}"
    member.put(f"{path}/disqualify", {"reason": "No budget"}, status=200)
    kept = member.put(path, FULL | {"status": None}, status=200).json
    assert (kept["status"], kept["disqualify_reason"]) == ("disqualified", "No budget")
    cleared = member.put(path, FULL | {"status": "new"}, status=200).json
    assert (cleared["disqualify_reason"], cleared["disqualified_at"]) == (None, None)


def test_a_deleted_lead_takes_its_notes_and_tasks_and_leaves_invites_and_emails(organization, member, lead, owner):
    path = f"/api/leads/{lead['id']}"
    member.post(f"{path}/notes", {"content": "Called"}, status=201)
    member.post(f"{path}/tasks", {"title": "Call"}, status=201)
    invite = organization.invite(lead_id=lead["id"])
    sent = {"from_email": "a@b.example", "to_email": "x@y.example", "subject": "Hi"}
    email = organization.insert("emails", lead_id=lead["id"], **sent)
    member.delete(path, status=204)
    member.get(path, status=404)
    member.delete(path, status=404)
    assert member.get(f"/api/interview-invites/{invite['id']}").json["lead_id"] is None
    assert owner.execute("select lead_id from app.emails where id = %s", (email,)).fetchone() == (None,)
    for table in ("notes", "tasks"):
        left = owner.execute(f"select count(*) from app.{table} where organization_id = %s", (organization.id,))
        assert left.fetchone() == (0,)


def test_linked_emails_are_those_of_the_lead_and_invites_to_its_address(organization, member, lead):
    common = {"from_email": "rep@acme.example", "subject": "Hello"}
    linked = organization.insert("emails", to_email="old@example.com", lead_id=lead["id"], **common)
    sent = organization.insert(
        "emails", to_email="zoe@example.COM", invite_id=organization.invite()["id"], invite_part="invite", **common
    )
    organization.insert("emails", to_email="somebody@example.com", **common)
    emails = member.get(f"/api/leads/{lead['id']}/linked-emails", status=200).json["data"]
    assert {email["id"] for email in emails} == {linked, sent}
    assert set(emails[0]) == {"id", "direction", "subject", "from_email", "to_email", "status", "sent_at", "created_at"}


def test_a_lead_with_a_colleagues_address_shows_none_of_their_notifications(organization, member):
    address = f"colleague@{organization.name}.example"
    lead = member.post("/api/leads", {"first_name": "Pat", "email": address}, status=201).json["id"]
    organization.insert("emails", from_email="mail@x.example", to_email=address, subject="Acme: new lead")
    assert member.get(f"/api/leads/{lead}/linked-emails", status=200).json["data"] == []


def test_paths_that_name_no_id_are_not_found(member):
    for path in ("/api/leads/abc", "/api/leads/0", "/api/leads/-1", "/api/leads/99999999999999999999"):
        assert member.get(path, status=404).json["code"] == "not_found"
