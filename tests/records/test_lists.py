"""Common to every list: pages, envelope, orders, `updated_since`, and renamed references."""

import pytest

from tests.support import codes

PAGED = {
    "/api/leads": 25,
    "/api/contracts": 25,
    "/api/companies": 25,
    "/api/contacts": 25,
    "/api/deals": 25,
    "/api/deal-stages": 25,
    "/api/quotes": 25,
    "/api/configurations": 25,
    "/api/configurator-definitions": 25,
    "/api/users": 25,
    "/api/teams": 25,
    "/api/notifications": 25,
    "/api/interview-invites": 100,
    "/api/interview-templates": 100,
    "/api/contract-templates": 100,
}


@pytest.fixture
def lead(member):
    """The path of a new lead."""
    return f"/api/leads/{member.post('/api/leads', {'first_name': 'Ann'}, status=201).json['id']}"


@pytest.mark.parametrize("path", PAGED)
def test_every_list_has_an_envelope_and_links(admin, path):
    answer = admin.get(path, status=200)
    assert list(answer.json) == ["data", "current_page", "last_page", "per_page", "total"]
    assert answer.json["per_page"] == PAGED[path]
    assert 'rel="first"' in answer.headers["Link"]
    assert admin.get(f"{path}?page=7", status=200).json["data"] == []


@pytest.mark.parametrize(("rest", "per_page"), [("notes", 25), ("tasks", 100), ("linked-emails", 100)])
def test_the_lists_of_a_lead_have_pages_too(member, lead, rest, per_page):
    answer = member.get(f"{lead}/{rest}", status=200).json
    assert (answer["data"], answer["per_page"], answer["total"]) == ([], per_page, 0)
    member.get(f"/api/leads/9000000000/{rest}", status=404)


def test_the_moment_of_updated_since_is_included(member):
    companies = [member.post("/api/companies", {"name": name}, status=201).json for name in ("A", "B")]
    found = member.get(f"/api/companies?updated_since={companies[1]['updated_at']}", status=200).json
    assert [company["name"] for company in found["data"]] == ["B"]
    assert found["total"] == 1


def test_leads_take_several_statuses_and_several_tags(member):
    for status, tags in (("new", "Hot, new lead"), ("contacted", "hot"), ("qualified", None), ("new", "hotter")):
        member.post("/api/leads", {"first_name": status, "status": status, "tags": tags}, status=201)
    assert member.get("/api/leads?status=new,contacted", status=200).json["total"] == 3
    assert member.get("/api/leads?tag=HOT", status=200).json["total"] == 2
    assert member.get("/api/leads?tag=new lead&status=new", status=200).json["total"] == 1
    assert member.get("/api/leads?tag=hot&search=contacted", status=200).json["total"] == 1
    assert ("status", "invalid_choice") in codes(member.get("/api/leads?status=new,old"))
    assert member.get("/api/leads?tag=HOTTER, new lead,none", status=200).json["total"] == 2
    assert member.get("/api/leads?tag=hot,hotter&search=contacted", status=200).json["total"] == 1
    assert ("tag", "too_many_words") in codes(member.get(f"/api/leads?tag={','.join('abcdefghijk')}"))


def test_a_renamed_company_is_found_and_sorted_by_its_new_name(member):
    company, other = (member.post("/api/companies", {"name": name}, status=201).json["id"] for name in ("Acme", "Beta"))
    for kind, body in (("contacts", {"first_name": "Pat"}), ("deals", {"title": "Big"})):
        for id in (other, company):
            member.post(f"/api/{kind}", {**body, "company_id": id}, status=201)
    member.put(f"/api/companies/{company}", {"name": "Zebra"}, status=200)
    for kind in ("contacts", "deals"):
        listed = member.get(f"/api/{kind}?sort_by=company_name", status=200).json["data"]
        assert [one["company_name"] for one in listed] == ["Beta", "Zebra"]
        assert member.get(f"/api/{kind}?search=zebra", status=200).json["total"] == 1
        assert member.get(f"/api/{kind}?search=acme", status=200).json["total"] == 0


def test_a_renamed_deal_is_found_in_its_quotes(member):
    deal = member.post("/api/deals", {"title": "Small"}, status=201).json["id"]
    member.post("/api/quotes", {"deal_id": deal, "lines": []}, status=201)
    member.put(f"/api/deals/{deal}", {"title": "Enormous"}, status=200)
    assert member.get("/api/quotes?search=enorm", status=200).json["total"] == 1
    assert member.get("/api/quotes?search=small&sort_by=deal_title", status=200).json["total"] == 0


def test_deals_without_stage_or_owner_come_last_both_ways(organization, member):
    stage = organization.insert("deal_stages", name="Won", position=1)
    owner = organization.users["member"]
    for title, more in (("none", {}), ("won", {"stage_id": stage}), ("owned", {"owner_id": owner})):
        member.post("/api/deals", {"title": title, **more}, status=201)
    for word, first in (("stage_name", "won"), ("owner_name", "owned")):
        for direction in ("ASC", "DESC"):
            listed = member.get(f"/api/deals?sort_by={word}&sort_dir={direction}", status=200).json
            assert (listed["data"][0]["title"], len(listed["data"]), listed["total"]) == (first, 3, 3)
