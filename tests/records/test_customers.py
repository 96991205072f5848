import pytest

from tests.http.target import assert_problem
from tests.records.support import make
from tests.support import codes

NO_WEBSITES = (
    "javascript:alert(1) data:text/html,x //mueller.example mueller https://<mueller>.example a@mueller.example"
)
DETAILS = {
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


def test_a_company_keeps_every_field(member):
    made = make(member, "companies", name="Müller & Söhne", **DETAILS)
    assert {name: made[name] for name in DETAILS} == DETAILS


@pytest.mark.parametrize(
    "website",
    ["https://mueller.example/de?x=1", "http://www.müller.example:8080", "mueller.example", "a.example/about"],
)
def test_a_website_is_a_url_or_a_host_name(member, website):
    assert make(member, "companies", name="Müller", website=website)["website"] == website


@pytest.mark.parametrize("website", NO_WEBSITES.split())
def test_nothing_else_becomes_a_link(member, website):
    refused = member.post("/api/companies", {"name": "Müller", "website": website}, status=422)
    assert codes(refused) == [("website", "invalid_url")]


@pytest.mark.parametrize(
    ("used", "field", "by"),
    [
        ("companies", "company_id", "contacts"),
        ("contacts", "contact_id", "deals"),
        ("deal-stages", "stage_id", "deals"),
        ("deals", "deal_id", "quotes"),
        ("configurator-definitions", "definition_id", "configurations"),
    ],
)
def test_a_record_in_use_cannot_be_deleted(used, field, by, admin, deal):
    needed = {"companies": {"name": "Acme"}, "deal-stages": {"name": "Offer"}, "contacts": {"first_name": "Ada"}}
    needed |= {"deals": {"title": "Site licence"}, "quotes": {}, "configurations": {"deal_id": deal["id"]}}
    needed |= {"configurator-definitions": {"name": "Server", "slug": "server"}}
    path = f"/api/{used}/{make(admin, used, **needed[used])['id']}"
    referring = make(admin, by, **needed[by], **{field: int(path.rpartition("/")[2])})
    refused = admin.delete(path)
    assert_problem(refused, 409, "in_use")
    assert refused.json["referred_by"] == by
    admin.delete(f"/api/{by}/{referring['id']}", status=204)
    admin.delete(path, status=204)


def test_a_deal_with_an_invite_cannot_be_deleted(member, organization, deal):
    organization.invite(deal_id=deal["id"])
    assert_problem(member.delete(f"/api/deals/{deal['id']}"), 409, "in_use")
