"""Tags of own fields of deals and companies, and the ways from a file, a form and a program to a contract."""

import pytest

from tests.interviews.language import question, template
from tests.leads.csv_files import imported
from tests.records.support import make

CONTENT = "<p>{{Deal.fields.region}}, {{Licensee.fields.erp_number}}</p>"
HEADER = "First name,Email,Company,Region,ERP number,Seats,Visited,Hall,Consent,Site,Topics,Size,Partner,Badge"
ROW = "Ada,ada@n.example,Northwind,EMEA,0040,25,2026-01-31,7b,yes,https://n.example,Price,XL,Contoso,A-1"


def define(admin, kind, key, type="text", **more):
    admin.post("/api/fields", {"kind": kind, "key": key, "label": key.title(), "type": type, **more}, status=201)


@pytest.fixture
def defined(admin):
    """Own fields of deals and companies that qualifying fills."""
    define(admin, "deal", "region")
    define(admin, "company", "erp_number")


@pytest.fixture
def of_leads(admin, defined):
    define(admin, "lead", "region")
    define(admin, "lead", "erp_number")


def printed(member, new_template, lead):
    """The contract of a lead's qualification."""
    asked = {"create_company": True, "create_deal": True}
    deal = member.post(f"/api/leads/{lead}/qualify", asked, status=200).json["deal_id"]
    body = {"template_id": new_template(content=CONTENT)["id"], "deal_id": deal, "effective_date": "2026-02-01"}
    return member.post("/api/contracts", body, status=201).json["content"]


def test_from_a_fairs_spreadsheet_to_a_contract_nothing_is_dropped(admin, member, defined, new_template):
    report = imported(admin, f"{HEADER}\n{ROW}\n", "?create_fields=true")
    (lead,) = member.get("/api/leads").json["data"]
    assert (report["warnings"], report["ignored_columns"], len(lead["fields"])) == ([], [], 11)
    assert printed(member, new_template, lead["id"]) == "<p>EMEA, 0040</p>"


def test_from_a_form_with_hidden_fields_to_a_contract(organization, member, of_leads, new_template):
    mapped = {"fields.region": "region", "fields.erp_number": "erp"}
    form = template(question("company"), question("region"), hidden_fields=["erp"], hints={"lead_fields": mapped})
    organization.public_form(**form)
    path = f"/api/public/interview/capture/{organization.name}/submit?erp=0040"
    organization.anonymous.post(path, {"answers": {"company": "Northwind", "region": "EMEA"}}, status=201)
    assert printed(member, new_template, organization.leads()[0]["id"]) == "<p>EMEA, 0040</p>"


def test_from_a_programs_batch_to_a_contract(member, of_leads, new_template):
    lead = {"first_name": "Ada", "company": "Northwind", "fields": {"region": "EMEA", "erp_number": "0040"}}
    (made,) = member.post("/api/leads/batch", {"create": [lead]}, status=200).json["created"]
    assert printed(member, new_template, made["id"]) == "<p>EMEA, 0040</p>"


def test_tags_of_deals_and_companies_print_by_type(admin, member, new_template):
    define(admin, "deal", "topics", "choices", options=["Price", "Term"])
    define(admin, "company", "since", "date")
    company = make(member, "companies", name="Northwind", fields={"since": "2020-03-01"})["id"]
    deal = make(member, "deals", title="D", company_id=company, fields={"topics": ["Term", "Price"]})["id"]
    content = "<p>{{Deal.fields.topics}}; {{Licensee.fields.since | date: 'long'}}</p>"
    made = new_template(content=content, language="en-US")["id"]
    body = {"template_id": made, "deal_id": deal, "effective_date": "2026-02-01"}
    assert member.post("/api/contracts", body, status=201).json["content"] == "<p>Term, Price; March 1, 2020</p>"
    groups = {group["entity"]: group["tags"] for group in admin.get("/api/contract-templates/tags").json["data"]}
    assert [groups[entity][-1]["tag"] for entity in ("Deal", "Licensee")] == [
        *("Deal.fields.topics", "Licensee.fields.since")
    ]
