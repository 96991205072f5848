"""A person's signatures: told to them, and erased unless all have signed."""

import pytest

from tests.mail.delivery import Worker
from tests.signing.conftest import CLIENT, path_of
from tests.support import Organization

EMAIL = "s0@signers.example"


@pytest.fixture
def lead(member):
    """A lead with the address of the first signer."""
    return member.post("/api/leads", {"first_name": "Signer", "email": EMAIL}, status=201).json["id"]


def erase(admin, lead):
    return admin.post(f"/api/leads/{lead}/erase", {"confirm": EMAIL}, status=200).json


def left(owner, organization: Organization):
    """Where the address still stands."""
    tables = ("signature_signers", "emails", "changes", "webhook_deliveries", "idempotency_keys", "notifications")
    found = "select count(*) from app.{0} where organization_id = %s and cast({0} as text) like %s"
    where = [organization.id, f"%{EMAIL}%"]
    return [table for table in tables if owner.execute(found.format(table), where).fetchone()[0]]


def test_the_file_of_a_person_has_their_signatures(admin, lead, request_signatures, signing):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]), "Pat Prospect")
    (signature,) = admin.get(f"/api/leads/{lead}/personal-data", status=200).json["signatures"]
    assert (signature["contract_id"], signature["email"]) == (request["contract_id"], EMAIL)
    assert (signature["signature_text"], signature["address"]) == ("Pat Prospect", CLIENT.address)


def test_an_open_request_goes_with_the_person_and_frees_the_contract(
    admin, member, owner, organization, post, contract, lead, request_signatures
):
    request = request_signatures(1, 2)
    post.deliver(organization)
    erase(admin, lead)
    assert left(owner, organization) == []
    assert member.get(path_of(request)).status_int == 404
    member.patch(f"/api/contracts/{contract['id']}", {"name": "Other"}, status=200)
    assert post.deliver(organization) == []


def test_a_signed_contract_is_kept_and_named(
    admin, member, jobs, post, organization, lead, request_signatures, signing
):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]))
    assert Worker(jobs, post.settings, organization.id).run() == []
    assert [kept["id"] for kept in erase(admin, lead)["contracts_kept"]] == [request["contract_id"]]
    assert member.get(path_of(request), status=200).json["signers"][0]["email"] == EMAIL
