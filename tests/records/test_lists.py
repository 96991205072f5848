import re
from urllib.parse import quote

import pytest

from pipeline.api.endpoint import endpoints
from pipeline.api.shapes import ListOf
from tests.records.support import make, shown
from tests.support import codes

# The records on a page where the request does not say it.
LISTS = {
    **dict.fromkeys(("leads", "companies", "contacts", "deals", "deal-stages", "quotes", "configurations"), 25),
    **dict.fromkeys(("configurator-definitions", "contracts", "teams", "users", "notifications", "webhooks"), 25),
    **dict.fromkeys(("api-keys", "auth/sessions", "fields", "leads/{}/notes"), 25),
    **dict.fromkeys(("interview-templates", "interview-invites", "contract-templates", "clauses"), 100),
    **dict.fromkeys(("leads/{}/tasks", "leads/{}/linked-emails"), 100),
}


@pytest.fixture
def lead(member):
    return f"/api/leads/{make(member, 'leads', first_name='Ann')['id']}"


def ids(answer):
    return [record["id"] for record in answer.json["data"]]


def following(answer):
    """The URL of the next step of a walk, or None."""
    link = re.search(r'<([^>]+)>; rel="next"', answer.headers["Link"])
    return link and link[1]


@pytest.mark.parametrize("name", LISTS)
def test_every_list_has_an_envelope_and_links_and_can_be_walked_and_read_by_ids(admin, lead, name):
    path = "/api/" + name.format(lead.rpartition("/")[2])
    every = admin.get(path, status=200)
    assert list(every.json) == ["data", "current_page", "last_page", "per_page", "total"]
    assert every.json["per_page"] == LISTS[name]
    assert 'rel="first"' in every.headers["Link"]
    assert ids(admin.get(f"{path}?page=7", status=200)) == []
    assert ids(admin.get(f"{path}?after_id=0&per_page=500", status=200)) == sorted(ids(every))
    assert ids(admin.get(f"{path}?ids={2**62}", status=200)) == []


def test_every_list_takes_after_id_and_ids(wsgi):
    lists = [contract for contract in endpoints(wsgi.registry) if isinstance(contract.answer, ListOf)]
    walked = [{"after_id", "ids"} <= {node.name for node in contract.query.children} for contract in lists]
    assert [contract.path for contract, walks in zip(lists, walked, strict=True) if not walks] == []


def test_a_walk_misses_nothing_when_records_before_it_are_deleted(member):
    leads = [make(member, "leads", first_name="Ada")["id"] for _ in range(5)]
    first = member.get("/api/leads?after_id=0&per_page=2", status=200)
    member.delete(f"/api/leads/{leads[0]}", status=204)
    second = member.get(following(first), status=200)
    assert ids(second) == leads[2:4]
    last = member.get(following(second), status=200)
    assert (ids(last), following(last), set(last.json)) == (leads[4:], None, {"data", "per_page"})


@pytest.mark.parametrize(("kind", "body"), [("notes", {"content": "A"}), ("tasks", {"title": "A"})])
def test_the_notes_and_tasks_of_a_lead_can_be_walked(member, lead, kind, body):
    entries = [member.post(f"{lead}/{kind}", body, status=201).json["id"] for _ in range(3)]
    first = member.get(f"{lead}/{kind}?after_id=0&per_page=2", status=200)
    assert ids(first) + ids(member.get(following(first), status=200)) == entries
    assert ids(member.get(f"{lead}/{kind}?ids={entries[1]}", status=200)) == entries[1:2]


@pytest.mark.parametrize(
    ("query", "name", "code"),
    [
        ("after_id=0&page=1", "page", "conflict"),
        ("after_id=0&search=a", "search", "conflict"),
        ("after_id=0&sort_by=name", "sort_by", "conflict"),
        ("after_id=0&per_page=501", "per_page", "out_of_range"),
        ("after_id=-1", "after_id", "out_of_range"),
        ("per_page=101", "per_page", "out_of_range"),
        ("page=0", "page", "out_of_range"),
        ("ids=1,a", "ids", "wrong_type"),
        ("ids=" + ",".join(["1"] * 201), "ids", "too_long"),
        ("sort_by=id", "sort_by", "invalid_choice"),
        ("date_from=2026-02-30", "date_from", "invalid_date"),
        ("tag=" + ",".join("abcdefghijk"), "tag", "too_many_words"),
    ],
)
def test_a_list_refuses_unknown_parameters(member, query, name, code):
    refused = member.get(f"/api/leads?{query}", status=422)
    assert (codes(refused), refused.json["errors"][0]["location"]) == ([(name, code)], "query")


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("status=new,contacted", 3),
        ("tag=HOT", 2),
        ("tag=new lead&status=new", 1),
        ("tag=HOTTER, new lead,none", 2),
        ("tag=hot,hotter&search=contacted", 1),
    ],
)
def test_leads_take_several_statuses_and_several_tags(member, query, total):
    for status, tags in (("new", "Hot, new lead"), ("contacted", "hot"), ("qualified", None), ("new", "hotter")):
        make(member, "leads", first_name=status, status=status, tags=tags)
    assert member.get(f"/api/leads?{query}", status=200).json["total"] == total


@pytest.mark.parametrize(
    ("tags", "kept"), [(" warm ,berlin;Warm,, new  york ", "warm, berlin, new york"), (" , ", None)]
)
def test_tags_are_trimmed_and_each_is_kept_once(member, tags, kept):
    assert make(member, "leads", first_name="Pat", tags=tags)["tags"] == kept


@pytest.mark.parametrize(("kind", "body"), [("contacts", {"first_name": "Pat"}), ("deals", {"title": "Big"})])
def test_a_renamed_company_is_found_and_sorted_by_its_new_name(member, kind, body):
    company, other = (make(member, "companies", name=name)["id"] for name in ("Acme", "Beta"))
    for id in (other, company):
        make(member, kind, **body, company_id=id)
    member.put(f"/api/companies/{company}", {"name": "Zebra"}, status=200)
    assert shown(member, f"/api/{kind}?sort_by=company_name", "company_name") == ["Beta", "Zebra"]
    assert shown(member, f"/api/{kind}?search=zebra", "company_id") == [company]
    assert shown(member, f"/api/{kind}?search=acme", "company_id") == []


def test_a_renamed_deal_is_found_in_its_quotes(member):
    deal = make(member, "deals", title="Small")["id"]
    make(member, "quotes", deal_id=deal)
    member.put(f"/api/deals/{deal}", {"title": "Enormous"}, status=200)
    assert member.get("/api/quotes?search=enorm", status=200).json["total"] == 1
    assert member.get("/api/quotes?search=small&sort_by=deal_title", status=200).json["total"] == 0


def test_all_asked_ids_stand_on_one_page(organization, member):
    ids = [organization.insert("contacts", first_name="Pat") for _ in range(120)]
    asked = ",".join(map(str, ids))
    answer = member.get(f"/api/contacts?ids={asked}", status=200).json
    assert {record["id"] for record in answer["data"]} == set(ids)
    assert (answer["last_page"], answer["per_page"], answer["total"]) == (1, 200, 120)
    assert len(member.get(f"/api/contacts?ids={asked}&per_page=10", status=200).json["data"]) == 10


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ids={0},{0},{1}", [0, 1]),
        ("ids={2},{0}&sort_by=created_at&sort_dir=DESC", [2, 0]),
        ("ids={0},999999999999", [0]),
        ("ids={0},{3}", [0]),
        ("ids={0},{4}", [0]),
        ("ids={0},{1}&search=Ben", [1]),
        ("ids={0},{1},{2}&per_page=2&page=2", [2]),
        ("ids={0},{1}&page=2", []),
        ("ids=%20{0},%20{1}", [0, 1]),
        ("ids={0}&ids={1}", None),
        ("ids=", None),
        ("ids={0},", None),
        ("ids=-{0}", None),
        ("ids={0};{1}", None),
    ],
)
def test_asked_ids_give_each_record_once_and_no_others(organization, member, new_organization, query, found):
    made = [make(member, "leads", first_name=name)["id"] for name in ("Ada", "Ben", "Cy", "Del")]
    member.delete(f"/api/leads/{made[3]}", status=204)
    made.append(make(new_organization().member, "leads", first_name="Other")["id"])
    answer = member.get(f"/api/leads?{query.format(*made)}", status=200 if found is not None else 422)
    assert found is None or ids(answer) == [made[place] for place in found]


@pytest.mark.parametrize("path", ["/api/leads", "/api/contacts"])
def test_a_record_is_found_by_its_whole_address_in_any_spelling(member, path):
    made = member.post(path, {"first_name": "Ute", "email": "Ute@müller.example"}, status=201).json
    for email in ("ute@müller.example", "UTE@xn--mller-kva.example", "Ute@MÜLLER.example"):
        assert [record["id"] for record in member.get(f"{path}?email={quote(email)}").json["data"]] == [made["id"]]
    assert member.get(f"{path}?email=te@m%C3%BCller.example").json["total"] == 0
