"""Tests of a tree in which the guides were followed; test_guides.py runs them in a copy."""

import pytest

from pipeline.cli.checks.drift import check_drift
from pipeline.cli.installation import Access
from pipeline.process.settings import load
from tests.cli.conftest import operator


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


def test_the_doctor_finds_no_drift(owner_url, redis_url):
    settings = load({}, operator(owner_url, redis_url).environ)
    assert "as in sql/schema/" in check_drift(Access(owner_url, settings))
