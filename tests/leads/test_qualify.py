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
LINKS = {"deals": "deal_id", "contacts": "contact_id", "companies": "company_id"}
EMAIL = {"from_email": "a@b.example", "to_email": "x@y.example", "subject": "Hi"}


@pytest.fixture
def lead(member):
    return member.post("/api/leads", LEAD, status=201).json


def made(organization):
    """How many contacts, companies and deals there are."""
    rows = organization.rows()
    return [len(rows[table]) for table in ("contacts", "companies", "deals")]


def row(owner, table, id):
    return owner.execute(f"select to_jsonb(t) from app.{table} as t where id = %s", (id,)).fetchone()[0]


def qualify(api, lead, body=None, status=200):
    return api.post(f"/api/leads/{lead['id']}/qualify", body, status=status).json


def test_a_qualified_lead_becomes_a_contact_alone_unless_more_is_asked_for(member, lead, owner):
    answer = qualify(member, lead)
    assert answer == {"success": True, "contact_id": answer["contact_id"], "company_id": None, "deal_id": None}
    contact = row(owner, "contacts", answer["contact_id"])
    for name in ("first_name", "last_name", "email", "phone", "job_title"):
        assert contact[name] == LEAD[name]
    after = member.get(f"/api/leads/{lead['id']}").json
    assert (after["status"], after["contact_id"]) == ("qualified", answer["contact_id"])
    assert after["qualified_at"] is not None


def test_company_and_deal_are_made_and_linked(organization, member, lead, owner):
    first = organization.insert("deal_stages", name="First", position=1)
    organization.insert("deal_stages", name="Zeroth", position=2)
    answer = qualify(member, lead, {**EVERYTHING, "deal_value": 1234567890123.45})
    deal = row(owner, "deals", answer["deal_id"])
    assert (deal["title"], deal["value_minor"], deal["stage_id"]) == ("Engine GmbH", 123456789012345, first)
    assert (deal["company_id"], deal["contact_id"]) == (answer["company_id"], answer["contact_id"])
    assert deal["owner_id"] == organization.users["member"]
    assert row(owner, "companies", answer["company_id"])["name"] == "Engine GmbH"
    assert row(owner, "contacts", answer["contact_id"])["company_id"] == answer["company_id"]


def test_a_second_call_adds_only_what_is_missing(member, lead, organization):
    first = qualify(member, lead, {"create_company": True})
    second = qualify(member, lead, {"create_deal": True, "deal_name": "Big one"})
    assert second == {**first, "deal_id": second["deal_id"]}
    assert second["deal_id"] is not None
    assert qualify(member, lead, EVERYTHING) == second
    assert made(organization) == [1, 1, 1]


def test_twenty_parallel_calls_make_one_of_each_and_answer_the_same_ids(member, lead, organization):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: qualify(member, lead, EVERYTHING), range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert None not in answers[0].values()
    assert made(organization) == [1, 1, 1]


def test_leads_of_one_person_qualified_at_the_same_time_share_contact_and_company(member, organization):
    leads = [member.post("/api/leads", LEAD, status=201).json for _ in range(10)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda lead: qualify(member, lead, EVERYTHING), leads))
    assert len({(answer["contact_id"], answer["company_id"]) for answer in answers}) == 1
    assert made(organization) == [1, 1, 10]


def test_a_known_contact_gets_only_its_empty_fields_filled(organization, member, lead, owner):
    known = organization.insert("contacts", first_name="Augusta", email="ADA@engine.example", phone="1815")
    assert qualify(member, lead)["contact_id"] == known
    contact = row(owner, "contacts", known)
    assert (contact["first_name"], contact["phone"]) == ("Augusta", "1815")
    assert (contact["last_name"], contact["job_title"]) == ("Byron", "CTO")


@pytest.mark.parametrize("name", ["Engine GmbH", "ENGINE", "Engine, Inc.", "  Éngine  Ltd"])
def test_a_company_of_the_same_normalised_name_is_reused(organization, member, lead, name):
    known = organization.insert("companies", name=name)
    assert qualify(member, lead, {"create_company": True})["company_id"] == known


def test_a_lead_without_a_company_makes_nothing_or_a_deal_of_its_own_name(member, organization, owner):
    nameless = member.post("/api/leads", {"first_name": "Pat", "last_name": "Doe"}, status=201).json
    body = {**EVERYTHING, "deal_stage_id": 9_000_000_000}
    assert qualify(member, nameless, {"create_company": True}, status=422)["code"] == "lead_has_no_company"
    assert codes(member.post(f"/api/leads/{nameless['id']}/qualify", body, status=422)) == [
        ("create_company", "lead_has_no_company"),
        ("deal_stage_id", "unknown_reference"),
    ]
    assert member.get(f"/api/leads/{nameless['id']}").json["status"] == "new"
    assert made(organization) == [0, 0, 0]
    deal = row(owner, "deals", qualify(member, nameless, {"create_deal": True})["deal_id"])
    assert (deal["title"], deal["value_minor"], deal["stage_id"]) == ("Pat Doe", 0, None)


def test_records_of_a_qualification_can_be_deleted_after_their_lead(organization, member, lead):
    organization.insert("emails", lead_id=lead["id"], **EMAIL)
    links = qualify(member, lead, EVERYTHING)
    paths = [f"/api/{kind}/{links[id]}" for kind, id in LINKS.items()]
    for path in paths:
        member.delete(path, status=409)
    member.delete(f"/api/leads/{lead['id']}", status=204)
    for path in paths:
        member.delete(path, status=204)


def test_a_given_stage_must_be_the_organizations(organization, new_organization, member, lead, owner):
    organization.insert("deal_stages", name="First", position=1)
    given = organization.insert("deal_stages", name="Second", position=2)
    foreign = new_organization().insert("deal_stages", name="Theirs", position=1)
    answer = member.post(f"/api/leads/{lead['id']}/qualify", {**EVERYTHING, "deal_stage_id": foreign}, status=422)
    assert codes(answer) == [("deal_stage_id", "unknown_reference")]
    assert made(organization) == [0, 0, 0]
    answer = qualify(member, lead, {**EVERYTHING, "deal_stage_id": given})
    assert row(owner, "deals", answer["deal_id"])["stage_id"] == given


def test_notes_tasks_and_emails_stay_and_gain_the_links_and_later_ones_have_them(organization, member, lead, owner):
    path = f"/api/leads/{lead['id']}"

    def noted():
        note = member.post(f"{path}/notes", {"content": "Called"}, status=201).json["id"]
        return ("notes", note), ("tasks", member.post(f"{path}/tasks", {"title": "Call"}, status=201).json["id"])

    before = (*noted(), ("emails", organization.insert("emails", lead_id=lead["id"], **EMAIL)))
    links = {"lead_id": lead["id"], **qualify(member, lead, EVERYTHING)}
    links.pop("success")
    for table, id in (*before, *noted()):
        assert row(owner, table, id).items() >= links.items()


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


@pytest.mark.parametrize(
    "email", ["info@firm.example", "sales@firm.example", "Kontakt@firm.example", "accueil@firm.example"]
)
def test_two_people_with_the_address_of_a_role_are_two_contacts(member, organization, email):
    people = [{"first_name": name, "email": email} for name in ("Anna", "Bernd", "ANNA", "Anna Maria")]
    ids = [qualify(member, member.post("/api/leads", lead, status=201).json)["contact_id"] for lead in people]
    assert [ids[0] == id for id in ids] == [True, False, True, True]
    assert len(organization.rows()["contacts"]) == 2


@pytest.mark.parametrize("names", [("info", "Anna"), ("Anna", "info"), ("info", "info")])
def test_a_name_that_was_made_of_a_roles_address_agrees_with_each(member, organization, names):
    leads = [{"first_name": name, "email": "info@firm.example"} for name in names]
    ids = {qualify(member, member.post("/api/leads", lead, status=201).json)["contact_id"] for lead in leads}
    assert (len(ids), len(organization.rows()["contacts"])) == (1, 1)


@pytest.mark.parametrize(
    ("email", "names", "people"),
    [
        ("info+fair@firm.example", ("Anna", "Bernd"), 2),
        ("team-sales@firm.example", ("Anna", "Bernd"), 2),
        ("contato@firm.example", ("Ana Lima", "Bruno"), 2),
        ("info@müller.example", ("Jürgen Müller", "Juergen MUELLER"), 1),
        ("office@firm.example", ("Dr. Anna-Lena Meyer", "Meyer Anna Lena"), 1),
        ("ventas@firm.example", ("Ana", "Bruno"), 2),
        ("rechnung@firm.example", ("Anna", "Bernd"), 2),
        ("BÜRO@firm.example", ("Anna", "Bernd"), 2),
        ("info-de@firm.example", ("Anna", "Bernd"), 2),
        ("sales2@firm.example", ("Anna", "Bernd"), 2),
        ("info@firm.example", ("Anna Meyer", "Anna Schmidt"), 2),
        ("info@firm.example", ("Meyer, Anna", "anna meyer"), 1),
        ("info@firm.example", ("Γιώργος", "ΓΙΩΡΓΟΣ"), 1),
        ("info@firm.example", ("李小龙", "王芳"), 2),
        ("salesforce@firm.example", ("Anna", "Bernd"), 1),
        ("meyer.info@firm.example", ("Anna", "Bernd"), 1),
        ("infante@firm.example", ("Anna", "Bernd"), 1),
        ("infosys@firm.example", ("Anna", "Bernd"), 1),
        ("anna.info@firm.example", ("Anna", "Bernd"), 1),
    ],
)
def test_addresses_of_roles_are_told_from_those_of_people(member, email, names, people):
    leads = [{"first_name": name, "email": email} for name in names]
    ids = {qualify(member, member.post("/api/leads", lead, status=201).json)["contact_id"] for lead in leads}
    assert len(ids) == people


def test_a_persons_address_identifies_them_whatever_their_name(member):
    people = [{"first_name": name, "email": "a.b@firm.example"} for name in ("Anna", "Ann")]
    first, second = (qualify(member, member.post("/api/leads", lead, status=201).json) for lead in people)
    assert first["contact_id"] == second["contact_id"]


def test_a_named_contact_is_linked_in_place_of_any_other(organization, member, lead, owner):
    wrong = qualify(member, lead)["contact_id"]
    right = organization.insert("contacts", first_name="Ada")
    assert qualify(member, lead, {"contact_id": right})["contact_id"] == right != wrong
    assert qualify(member, lead)["contact_id"] == right
    assert row(owner, "contacts", right)["job_title"] == "CTO"


def test_an_unknown_or_foreign_contact_is_refused(new_organization, member, lead):
    foreign = new_organization().insert("contacts", first_name="Eve")
    for id in (foreign, 9_000_000_000):
        refused = member.post(f"/api/leads/{lead['id']}/qualify", {"contact_id": id}, status=422)
        assert codes(refused) == [("contact_id", "unknown_reference")]
