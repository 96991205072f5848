"""Qualification of a lead: a contact, and on request a company and a deal, each created once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import codes

EVERYTHING = {"create_company": True, "create_deal": True}
LEAD = {
    "first_name": "Ada",
    "last_name": "Byron",
    "email": "ada@engine.example",
    "phone": "030 1",
    "job_title": "CTO",
    "company": "Engine GmbH",
}


@pytest.fixture
def lead(member):
    return member.post("/api/leads", LEAD, status=201).json


@pytest.fixture
def count(owner, organization):
    """count(table): how many rows the organization has."""
    query = "select count(*) from app.{} where organization_id = %s"
    return lambda table: owner.execute(query.format(table), (organization.id,)).fetchone()[0]


@pytest.fixture
def row(owner):
    """row(table, id): the row as a dict."""
    query = "select to_jsonb(t) from app.{} as t where id = %s"
    return lambda table, id: owner.execute(query.format(table), (id,)).fetchone()[0]


def qualify(api, lead, body=None, status=200):
    return api.post(f"/api/leads/{lead['id']}/qualify", body, status=status).json


def test_a_qualified_lead_becomes_a_contact_alone_unless_more_is_asked_for(member, lead, row):
    answer = qualify(member, lead)
    assert answer == {"success": True, "contact_id": answer["contact_id"], "company_id": None, "deal_id": None}
    contact = row("contacts", answer["contact_id"])
    for name in ("first_name", "last_name", "email", "phone", "job_title"):
        assert contact[name] == LEAD[name]
    after = member.get(f"/api/leads/{lead['id']}").json
    assert (after["status"], after["contact_id"]) == ("qualified", answer["contact_id"])
    assert after["qualified_at"] is not None


def test_company_and_deal_are_made_and_linked(organization, member, lead, row):
    first = organization.insert("deal_stages", name="First", position=1)
    organization.insert("deal_stages", name="Zeroth", position=2)
    answer = qualify(member, lead, {**EVERYTHING, "deal_value": 1234567890123.45})
    deal = row("deals", answer["deal_id"])
    assert (deal["title"], deal["value_minor"], deal["stage_id"]) == ("Engine GmbH", 123456789012345, first)
    assert (deal["company_id"], deal["contact_id"]) == (answer["company_id"], answer["contact_id"])
    assert deal["owner_id"] == organization.users["member"]
    assert row("companies", answer["company_id"])["name"] == "Engine GmbH"
    assert row("contacts", answer["contact_id"])["company_id"] == answer["company_id"]


@pytest.mark.parametrize(
    ("sent", "minor"), [("0.1", 10), ("19.99", 1999), ("1e3", 100000), ("90071992547409.93", 9007199254740993)]
)
def test_a_deal_value_is_exact_to_the_cent(member, lead, row, sent, minor):
    raw = f'{{"create_deal": true, "deal_value": {sent}}}'.encode()
    answer = member.post(f"/api/leads/{lead['id']}/qualify", raw=raw, status=200).json
    assert row("deals", answer["deal_id"])["value_minor"] == minor


def test_a_second_call_adds_only_what_is_missing(member, lead, count):
    first = qualify(member, lead, {"create_company": True})
    second = qualify(member, lead, {"create_deal": True, "deal_name": "Big one"})
    assert second == {**first, "deal_id": second["deal_id"]}
    assert second["deal_id"] is not None
    assert qualify(member, lead, EVERYTHING) == second
    assert [count(table) for table in ("contacts", "companies", "deals")] == [1, 1, 1]


def test_twenty_parallel_calls_make_one_of_each_and_answer_the_same_ids(member, lead, count):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: qualify(member, lead, EVERYTHING), range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert None not in answers[0].values()
    assert [count(table) for table in ("contacts", "companies", "deals")] == [1, 1, 1]


def test_leads_of_one_person_qualified_at_the_same_time_share_contact_and_company(member, count):
    leads = [member.post("/api/leads", LEAD, status=201).json for _ in range(10)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda lead: qualify(member, lead, EVERYTHING), leads))
    assert len({(answer["contact_id"], answer["company_id"]) for answer in answers}) == 1
    assert [count(table) for table in ("contacts", "companies", "deals")] == [1, 1, 10]


def test_a_known_contact_gets_only_its_empty_fields_filled(organization, member, lead, row):
    known = organization.insert("contacts", first_name="Augusta", email="ADA@engine.example", phone="1815")
    assert qualify(member, lead)["contact_id"] == known
    contact = row("contacts", known)
    assert (contact["first_name"], contact["phone"]) == ("Augusta", "1815")
    assert (contact["last_name"], contact["job_title"]) == ("Byron", "CTO")


@pytest.mark.parametrize("name", ["Engine GmbH", "ENGINE", "Engine, Inc.", "  Éngine  Ltd"])
def test_a_company_of_the_same_normalised_name_is_reused(organization, member, lead, name):
    known = organization.insert("companies", name=name)
    assert qualify(member, lead, {"create_company": True})["company_id"] == known


def test_a_company_cannot_be_made_of_nothing(member, count):
    lead = member.post("/api/leads", {"first_name": "Pat"}, status=201).json
    assert qualify(member, lead, {"create_company": True}, status=422)["code"] == "lead_has_no_company"
    assert member.get(f"/api/leads/{lead['id']}").json["status"] == "new"
    assert count("contacts") == 0


def test_a_missing_company_and_an_unknown_stage_are_named_together(member):
    lead = member.post("/api/leads", {"first_name": "Pat"}, status=201).json
    body = {**EVERYTHING, "deal_stage_id": 9_000_000_000}
    assert codes(member.post(f"/api/leads/{lead['id']}/qualify", body, status=422)) == [
        ("create_company", "lead_has_no_company"), ("deal_stage_id", "unknown_reference")
    ]  # fmt: skip


def test_what_a_qualification_made_can_be_deleted_after_its_lead_though_emails_tell_of_it(organization, member, lead):
    sent = {"from_email": "a@b.example", "to_email": "x@y.example", "subject": "Hi"}
    organization.insert("emails", lead_id=lead["id"], **sent)
    links = qualify(member, lead, EVERYTHING)
    member.delete(f"/api/deals/{links['deal_id']}", status=409)
    member.delete(f"/api/leads/{lead['id']}", status=204)
    for record in ("deal", "contact", "company"):
        plural = {"company": "companies"}.get(record, f"{record}s")
        member.delete(f"/api/{plural}/{links[f'{record}_id']}", status=204)


def test_the_deal_is_named_after_the_lead_when_there_is_no_company(member, row):
    lead = member.post("/api/leads", {"first_name": "Pat", "last_name": "Doe"}, status=201).json
    deal = row("deals", qualify(member, lead, {"create_deal": True})["deal_id"])
    assert (deal["title"], deal["value_minor"], deal["stage_id"]) == ("Pat Doe", 0, None)


def test_a_given_stage_must_be_the_organizations(organization, new_organization, member, lead, row, count):
    organization.insert("deal_stages", name="First", position=1)
    given = organization.insert("deal_stages", name="Second", position=2)
    foreign = new_organization().insert("deal_stages", name="Theirs", position=1)
    for stage in (foreign, 9_000_000_000):
        answer = member.post(f"/api/leads/{lead['id']}/qualify", {**EVERYTHING, "deal_stage_id": stage}, status=422)
        assert codes(answer) == [("deal_stage_id", "unknown_reference")]
    assert count("contacts") == 0
    answer = qualify(member, lead, {**EVERYTHING, "deal_stage_id": given})
    assert row("deals", answer["deal_id"])["stage_id"] == given


def test_notes_tasks_and_emails_stay_and_gain_the_links(organization, member, lead, row):
    path = f"/api/leads/{lead['id']}"
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json["id"]
    task = member.post(f"{path}/tasks", {"title": "Call"}, status=201).json["id"]
    sent = {"from_email": "a@b.example", "to_email": "x@y.example", "subject": "Hi"}
    email = organization.insert("emails", lead_id=lead["id"], **sent)
    links = qualify(member, lead, EVERYTHING)
    links.pop("success")
    for table, id in (("notes", note), ("tasks", task), ("emails", email)):
        linked = row(table, id)
        assert linked["lead_id"] == lead["id"]
        assert {name: linked[name] for name in links} == links


def test_notes_and_tasks_made_after_the_qualification_have_its_links(member, lead):
    path, links = f"/api/leads/{lead['id']}", qualify(member, lead, {"create_deal": True})
    note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json
    task = member.post(f"{path}/tasks", {"title": "Call"}, status=201).json
    for made in (note, task):
        assert (made["contact_id"], made["deal_id"]) == (links["contact_id"], links["deal_id"])


def test_a_disqualified_lead_can_be_qualified_and_a_qualified_one_disqualified(member, lead):
    path = f"/api/leads/{lead['id']}"
    member.put(f"{path}/disqualify", {"reason": "No budget"}, status=200)
    links = qualify(member, lead)
    qualified = member.get(path).json
    assert (qualified["status"], qualified["disqualify_reason"]) == ("qualified", None)
    given_up = member.put(f"{path}/disqualify", {"reason": "Gone"}, status=200).json
    assert (given_up["status"], given_up["contact_id"]) == ("disqualified", links["contact_id"])


def test_another_organizations_contact_and_company_are_never_used(new_organization, member, lead):
    stranger = new_organization()
    contact = stranger.insert("contacts", first_name="Ada", email=LEAD["email"])
    company = stranger.insert("companies", name=LEAD["company"])
    answer = qualify(member, lead, EVERYTHING)
    assert answer["contact_id"] != contact
    assert answer["company_id"] != company
