"""Companies and contacts."""

import pytest

from tests.http.target import assert_problem
from tests.records.support import make
from tests.support import codes


def test_a_company_keeps_every_field(member):
    details = {
        "name": "Müller & Söhne",
        "legal_name": "Müller & Söhne GmbH",
        "registration_number": "HRB 1",
        "vat_id": "DE1",
        "email": "info@mueller.example",
        "phone": "+49 30 1",
        "website": "https://mueller.example",
        "street": "Weg 1",
        "city": "Berlin",
        "region": "BE",
        "postal_code": "10115",
        "country": "DE",
    }
    made = make(member, "companies", **details)
    assert {name: made[name] for name in details} == details
    replaced = member.put(f"/api/companies/{made['id']}", {"name": "Müller"}, status=200).json
    assert {replaced[name] for name in details if name != "name"} == {None}


@pytest.mark.parametrize(
    "website",
    [
        "https://mueller.example/de?x=1",
        "http://www.müller.example:8080",
        "mueller.example",
        "www.mueller.example/about",
    ],
)
def test_a_website_is_a_url_or_a_host_name(member, website):
    assert make(member, "companies", name="Müller", website=website)["website"] == website


@pytest.mark.parametrize(
    "website",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "not a url",
        "mailto:info@mueller.example",
        "ftp://mueller.example",
        "//mueller.example",
        "mueller",
        "https://",
        "https://<mueller>.example",
        "info@mueller.example",
    ],
)
def test_nothing_else_becomes_a_link(member, website):
    refused = member.post("/api/companies", {"name": "Müller", "website": website}, status=422)
    assert codes(refused) == [("website", "invalid_url")]


def test_a_contact_shows_its_full_name_and_its_company(member):
    company = make(member, "companies", name="Acme")
    made = make(member, "contacts", first_name="Ada", last_name="Lovelace", company_id=company["id"])
    assert (made["name"], made["company_name"]) == ("Ada Lovelace", "Acme")


def test_a_company_with_a_contact_cannot_be_deleted_before_it(member):
    company = make(member, "companies", name="Acme")
    contact = make(member, "contacts", first_name="Ada", company_id=company["id"])
    assert_problem(member.delete(f"/api/companies/{company['id']}"), 409, "in_use")
    member.delete(f"/api/contacts/{contact['id']}", status=204)
    member.delete(f"/api/companies/{company['id']}", status=204)


def test_a_contact_of_a_deal_cannot_be_deleted(member):
    contact = make(member, "contacts", first_name="Ada")
    make(member, "deals", title="Site licence", contact_id=contact["id"])
    assert_problem(member.delete(f"/api/contacts/{contact['id']}"), 409, "in_use")


def test_a_qualified_lead_keeps_its_contact_from_deletion(member):
    lead = make(member, "leads", first_name="Pat", company="Acme")
    linked = member.post(f"/api/leads/{lead['id']}/qualify", {"create_company": True}, status=200).json
    assert member.get(f"/api/contacts/{linked['contact_id']}", status=200).json["first_name"] == "Pat"
    assert_problem(member.delete(f"/api/contacts/{linked['contact_id']}"), 409, "in_use")
