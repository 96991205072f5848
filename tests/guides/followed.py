"""Tests of a tree in which the guides were followed; test_guides.py runs them in a copy."""

import pytest

from pipeline.cli.checks.drift import check_drift
from pipeline.cli.installation import Access
from pipeline.process.settings import load
from tests.cli.conftest import operator
from tests.leads.csv_files import FORM, exported, multipart, send
from tests.mail.delivery import Worker


@pytest.mark.parametrize(
    ("query", "found"),
    [("", "Alpha Beta"), ("?sort_dir=DESC", "Beta Alpha"), ("?active=true", "Beta"), ("?search=alp", "Alpha")],
)
def test_products_are_listed_found_and_filtered(admin, member, query, found):
    for name, active in (("Beta", True), ("Alpha", False)):
        admin.post("/api/products", {"name": name, "active": active}, status=201)
    shown = member.get(f"/api/products{query}", status=200).json["data"]
    assert [one["name"] for one in shown] == found.split()


def test_a_lead_keeps_the_detail_of_its_source(member):
    body = {"first_name": "Ada", "source": "fair", "source_detail": "Hall 4"}
    made = member.post("/api/leads", body, status=201).json
    assert made["source_detail"] == "Hall 4"
    member.put(f"/api/leads/{made['id']}", {**body, "source_detail": "Hall 5"}, status=200)
    assert member.get("/api/leads", status=200).json["data"][0]["source_detail"] == "Hall 5"


def test_leads_are_filtered_by_the_detail_of_their_source(member):
    for detail in ("Hall 4", "Hall 5"):
        member.post("/api/leads", {"first_name": detail, "source_detail": detail}, status=201)
    shown = member.get("/api/leads?source_detail=Hall 4", status=200).json["data"]
    assert [lead["first_name"] for lead in shown] == ["Hall 4"]


def test_the_column_is_recorded(admin, member):
    lead = member.post("/api/leads", {"first_name": "Ada"}, status=201).json["id"]
    member.patch(f"/api/leads/{lead}", {"source_detail": "Hall 4"}, status=200)
    changes = admin.get(f"/api/audit?type=leads&id={lead}", status=200).json["data"]
    assert {"source_detail": {"old": None, "new": "Hall 4"}} in [change["changed"] for change in changes]


def test_the_doctor_finds_no_drift(owner_url, redis_url):
    settings = load({}, operator(owner_url, redis_url).environ)
    assert "as in sql/schema/" in check_drift(Access(owner_url, settings))


@pytest.mark.parametrize(
    ("on_duplicate", "kept"), [("skip", ["Hall 4"]), ("update", ["Hall 5"]), ("create", ["Hall 4", "Hall 5"])]
)
def test_the_detail_of_a_source_comes_and_goes_by_csv(on_duplicate, kept, admin):
    for detail in ("Hall 4", "Hall 5"):
        file = f"first_name,email,Source Detail\nAda,ada@acme.example,{detail}\n"
        send(admin, file, f"?on_duplicate={on_duplicate}", status=200)
    assert sorted(row["source_detail"] for row in exported(admin)) == kept


def test_the_detail_of_a_source_comes_by_a_large_file(admin, organization, jobs, settings):
    file = multipart(("first_name,Source Detail\n" + "Ada,Hall 4\n" * 5_001).encode())
    headers = {"Content-Type": FORM, "Prefer": "respond-async"}
    admin.request("POST", "/api/leads/import?on_duplicate=create", raw=file, headers=headers, status=202)
    assert Worker(jobs, settings, organization.id).run() == []
    assert {row["source_detail"] for row in exported(admin)} == {"Hall 4"}
