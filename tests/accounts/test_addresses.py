"""Equality of account addresses: addresses that differ beyond the case of A to Z are two accounts."""

import uuid

import pytest

from tests.accounts.conftest import STRONG
from tests.support import codes


@pytest.fixture
def domain():
    return f"{uuid.uuid4().hex[:12]}.example"


@pytest.fixture
def join(anonymous, post, signed_in):
    """join(organization, email): a client of a new person who was invited and has followed the link."""

    def arrive(organization, email):
        organization.admin.post("/api/users", {"email": email, "name": "Victor"}, status=201)
        link = {"token": post.token(organization), "password": STRONG}
        return signed_in(anonymous.post("/api/auth/activate", link, status=200).json)

    return arrive


@pytest.mark.parametrize("local", ["vİctor", "vıctor", "vĭctor", "victor\N{FULLWIDTH DIGIT ONE}", "виктор"])
def test_an_account_has_an_address_in_ascii(other, domain, local):
    refused = other.admin.post("/api/users", {"email": f"{local}@{domain}", "name": "V"}, status=422)
    assert codes(refused) == [("email", "unsupported_address")]


def test_nobody_takes_a_seat_by_an_address_that_is_nearly_theirs(organization, other, join, domain):
    attacker = join(other, f"v.ictor@{domain}")
    invited = organization.admin.post("/api/users", {"email": f"victor@{domain}", "role": "admin"}, status=201).json
    assert attacker.get("/api/auth/me", status=200).json["invitations"] == []
    attacker.post(f"/api/auth/invitations/{invited['id']}/accept", status=404)


def test_an_invitation_is_for_the_account_of_its_address_however_that_is_spelled(organization, other, join, domain):
    person = join(other, f"victor@xn--mnchen-3ya.{domain}")
    invited = organization.admin.post("/api/users", {"email": f"Victor@MÜNCHEN.{domain}"}, status=201).json
    assert invited["email"] == f"Victor@xn--mnchen-3ya.{domain}"
    assert [one["id"] for one in person.get("/api/auth/me", status=200).json["invitations"]] == [invited["id"]]


def test_who_signs_in_may_write_the_domain_in_their_own_letters(log_in, other, join, domain):
    join(other, f"victor@münchen.{domain}")
    for email in (f"VICTOR@MÜNCHEN.{domain}", f"victor@XN--MNCHEN-3YA.{domain}"):
        log_in(email, STRONG)


def test_nobody_signs_in_by_an_address_that_is_folded_alike(log_in, organization):
    admin = f"admin@{organization.name}.example"
    for email in (admin.replace("i", "İ"), admin.replace("i", "ı")):
        log_in(email, status=401)
