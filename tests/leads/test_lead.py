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
EMAIL = {"from_email": "rep@acme.example", "to_email": "old@example.com", "subject": "Hello"}


@pytest.fixture
def lead(member):
    return member.post("/api/leads", FULL, status=201).json


@pytest.fixture
def path(lead):
    return f"/api/leads/{lead['id']}"


def test_a_created_lead_is_answered_whole(organization, member):
    assigned = organization.users["colleague"]
    lead = member.post("/api/leads", {**FULL, "assigned_to": assigned}, status=201).json
    assert lead.items() >= FULL.items()
    assert (lead["name"], lead["company_name"]) == ("Zoë Ångström", FULL["company"])
    assert (lead["assigned_to"], lead["assigned_to_name"]) == (assigned, "Colleague")
    assert (lead["organization_id"], lead["note_entries"], lead["tasks"]) == (organization.id, [], [])


def test_a_first_name_is_a_lead_and_nothing_less(member):
    for body in ({}, {"first_name": " "}, {"first_name": None}):
        assert codes(member.post("/api/leads", body, status=422)) == [("first_name", "required")]
    lead = member.post("/api/leads", {"first_name": "Cher"}, status=201).json
    assert (lead["name"], lead["last_name"]) == ("Cher", None)
    assert (lead["status"], lead["source"], lead["assigned_to"]) == ("new", "manual", None)


def test_a_lead_is_assigned_to_active_seats_only(organization, new_organization, member, path):
    for user in (organization.users["inactive"], new_organization().users["member"], 9_000_000_000):
        body = {"first_name": "Pat", "assigned_to": user}
        for refused in (member.post("/api/leads", body, status=422), member.put(path, body, status=422)):
            assert codes(refused) == [("assigned_to", "unknown_reference")]


def test_an_update_replaces_every_field_but_the_status(member, lead, path):
    changed = member.put(path, {"first_name": "Zoe"}, status=200).json
    assert (changed["status"], changed["source"]) == ("contacted", "manual")
    assert [changed[name] for name in ("last_name", "email", "phone", "company", "notes", "tags")] == [None] * 6
    assert changed["created_at"] == lead["created_at"]


def test_disqualifying_stores_the_reason_and_replaces_an_earlier_one(member, path):
    first = member.put(f"{path}/disqualify", {"reason": "No budget"}, status=200).json
    assert (first["status"], first["disqualify_reason"]) == ("disqualified", "No budget")
    second = member.put(f"{path}/disqualify", {"reason": "Competitor"}, status=200).json
    assert (second["disqualify_reason"], second["disqualified_at"]) == ("Competitor", first["disqualified_at"])
    assert member.put(f"{path}/disqualify", status=200).json["disqualify_reason"] is None


def test_any_other_status_clears_the_reason(member, path):
    member.put(f"{path}/disqualify", {"reason": "No budget"}, status=200)
    kept = member.put(path, FULL | {"status": None}, status=200).json
    assert (kept["status"], kept["disqualify_reason"]) == ("disqualified", "No budget")
    cleared = member.put(path, FULL | {"status": "new"}, status=200).json
    assert (cleared["disqualify_reason"], cleared["disqualified_at"]) == (None, None)


def test_a_deleted_lead_takes_its_notes_and_tasks_and_leaves_invites_and_emails(organization, member, lead, path):
    member.post(f"{path}/notes", {"content": "Called"}, status=201)
    member.post(f"{path}/tasks", {"title": "Call"}, status=201)
    organization.invite(lead_id=lead["id"])
    organization.insert("emails", lead_id=lead["id"], **EMAIL)
    member.delete(path, status=204)
    member.get(path, status=404)
    left = organization.rows()
    assert (left["notes"], left["tasks"]) == ([], [])
    for table in ("interview_invites", "emails"):
        assert ['"lead_id": null' in row for row in left[table]] == [True]


def test_linked_emails_are_those_of_the_lead_and_invites_to_its_address(organization, member, lead, path):
    linked = organization.insert("emails", lead_id=lead["id"], **EMAIL)
    invited = {**EMAIL, "to_email": "zoe@example.COM", "invite_id": organization.invite()["id"]}
    sent = organization.insert("emails", invite_part="invite", **invited)
    organization.insert("emails", **{**EMAIL, "to_email": "somebody@example.com"})
    emails = member.get(f"{path}/linked-emails", status=200).json["data"]
    assert {email["id"] for email in emails} == {linked, sent}
    assert set(emails[0]) == {"id", "direction", "subject", "from_email", "to_email", "status", "sent_at", "created_at"}


def test_a_lead_with_a_colleagues_address_shows_none_of_their_notifications(organization, member):
    address = f"colleague@{organization.name}.example"
    lead = member.post("/api/leads", {"first_name": "Pat", "email": address}, status=201).json["id"]
    organization.insert("emails", **{**EMAIL, "to_email": address})
    assert member.get(f"/api/leads/{lead}/linked-emails", status=200).json["data"] == []
