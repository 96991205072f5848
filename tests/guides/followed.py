"""Tests of a tree in which the guides were followed; test_guides.py runs them in a copy."""

import csv
import io

import pytest

from tests.leads.csv_files import HEADER, send


@pytest.fixture
def product(admin):
    made = admin.post("/api/products", {"name": "Floating licence", "sku": "FL-1"}, status=201)
    return made.headers["Location"].removeprefix("https://pipeline.example")


def test_a_product_is_created_shown_replaced_and_deleted(admin, member, product):
    shown = member.get(product, status=200).json
    assert (shown["name"], shown["sku"], shown["active"]) == ("Floating licence", "FL-1", True)
    assert admin.put(product, {"name": "Node-locked licence"}, status=200).json["sku"] is None
    admin.delete(product, status=204)
    admin.get(product, status=404)


@pytest.mark.parametrize(
    ("query", "found"),
    [("", "Alpha Beta"), ("?sort_dir=DESC", "Beta Alpha"), ("?active=true", "Beta"), ("?search=alp", "Alpha")],
)
def test_products_are_listed_found_and_filtered(admin, member, query, found):
    for name, active in (("Beta", True), ("Alpha", False)):
        admin.post("/api/products", {"name": name, "active": active}, status=201)
    shown = member.get(f"/api/products{query}", status=200).json["data"]
    assert [one["name"] for one in shown] == found.split()


def test_a_wrong_field_of_a_product_is_named(admin):
    errors = admin.post("/api/products", {"sku": 7, "price": 1}, status=422).json["errors"]
    assert sorted(error["name"] for error in errors) == ["name", "price", "sku"]


def test_a_lead_keeps_the_detail_of_its_source(member):
    body = {"first_name": "Ada", "source": "fair", "source_detail": "Hall 4"}
    made = member.post("/api/leads", body, status=201).json
    assert made["source_detail"] == "Hall 4"
    member.put(f"/api/leads/{made['id']}", {**body, "source_detail": "Hall 5"}, status=200)
    assert member.get("/api/leads", status=200).json["data"][0]["source_detail"] == "Hall 5"


@pytest.mark.parametrize("on_duplicate", ["skip", "update", "create"])
def test_the_detail_of_a_source_comes_and_goes_by_csv(on_duplicate, admin):
    file = "first_name,email,Source Detail\nAda,ada@acme.example,Hall 4\n"
    assert send(admin, file, f"?on_duplicate={on_duplicate}", status=200).json["imported"] == 1
    exported = admin.get("/api/leads/export", status=200).body.decode("utf-8-sig")
    assert exported.splitlines()[0].endswith(HEADER)
    assert next(csv.DictReader(io.StringIO(exported)))["source_detail"] == "Hall 4"


def test_an_import_updates_the_detail_of_a_source(admin):
    for detail in ("Hall 4", "Hall 5"):
        file = f"first_name,email,source_detail\nAda,ada@acme.example,{detail}\n"
        send(admin, file, "?on_duplicate=update", status=200)
    assert [lead["source_detail"] for lead in admin.get("/api/leads", status=200).json["data"]] == ["Hall 5"]
