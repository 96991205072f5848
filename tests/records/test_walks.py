"""Lists read by `after_id` and `ids`."""

import re

import pytest

from pipeline.http.endpoints.contract import endpoints
from pipeline.http.endpoints.shapes import ListOf

LISTS = (
    "leads",
    "companies",
    "contacts",
    "deals",
    "deal-stages",
    "quotes",
    "configurations",
    "configurator-definitions",
    "interview-templates",
    "interview-invites",
    "contract-templates",
    "contracts",
    "teams",
    "users",
    "notifications",
    "webhooks",
    "api-keys",
    "auth/sessions",
    "clauses",
    "contract-fields",
)
LEAD = {"first_name": "Ada"}


def made(api, count):
    """The ids of new leads."""
    return [api.post("/api/leads", LEAD, status=201).json["id"] for _ in range(count)]


def ids(answer):
    return [record["id"] for record in answer.json["data"]]


def following(answer):
    """The URL of the next step, or None."""
    link = re.search(r'<([^>]+)>; rel="next"', answer.headers["Link"])
    return link and link[1]


@pytest.mark.parametrize("name", LISTS)
def test_every_list_can_be_walked_and_read_by_ids(organization, name):
    every = organization.admin.get(f"/api/{name}?per_page=100", status=200)
    assert ids(organization.admin.get(f"/api/{name}?after_id=0&per_page=500", status=200)) == sorted(ids(every))
    assert ids(organization.admin.get(f"/api/{name}?ids={2**62}", status=200)) == []


def test_every_list_but_the_audit_takes_after_id_and_ids(wsgi):
    lists = [contract for contract in endpoints(wsgi.registry) if isinstance(contract.answer, ListOf)]
    walked = [{"after_id", "ids"} <= {node.name for node in contract.query.children} for contract in lists]
    assert [contract.path for contract, walks in zip(lists, walked, strict=True) if not walks] == ["/api/audit"]


def test_a_walk_misses_nothing_when_records_before_it_are_deleted(organization):
    api = organization.admin
    leads = made(api, 5)
    first = api.get("/api/leads?after_id=0&per_page=2", status=200)
    api.delete(f"/api/leads/{leads[0]}", status=204)
    assert ids(api.get(following(first), status=200)) == leads[2:4]


def test_a_walk_ends_with_a_step_that_is_not_full(organization):
    made(organization.admin, 3)
    last = organization.admin.get("/api/leads?after_id=0&per_page=4", status=200)
    assert (following(last), set(last.json)) == (None, {"data", "per_page"})


def test_the_notes_and_tasks_of_a_lead_can_be_walked(organization):
    api = organization.admin
    (lead,) = made(api, 1)
    for kind, body in (("notes", {"content": "A"}), ("tasks", {"title": "A"})):
        entries = [api.post(f"/api/leads/{lead}/{kind}", body, status=201).json["id"] for _ in range(3)]
        first = api.get(f"/api/leads/{lead}/{kind}?after_id=0&per_page=2", status=200)
        assert ids(first) + ids(api.get(following(first), status=200)) == entries
        assert ids(api.get(f"/api/leads/{lead}/{kind}?ids={entries[1]}", status=200)) == entries[1:2]


@pytest.mark.parametrize(
    ("query", "name", "code"),
    [
        ("after_id=0&page=1", "page", "conflict"), ("after_id=0&search=a", "search", "conflict"),
        ("after_id=0&sort_by=name", "sort_by", "conflict"), ("after_id=0&per_page=501", "per_page", "out_of_range"),
        ("after_id=-1", "after_id", "out_of_range"), ("per_page=101", "per_page", "out_of_range"),
        ("ids=1,a", "ids", "wrong_type"), ("ids=" + ",".join(["1"] * 201), "ids", "too_long"),
    ],
)  # fmt: skip
def test_a_walk_excludes_pages_orders_and_searches(organization, query, name, code):
    (violation,) = organization.admin.get(f"/api/leads?{query}", status=422).json["errors"]
    assert (violation["name"], violation["code"]) == (name, code)
