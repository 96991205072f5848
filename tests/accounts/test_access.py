"""Access tokens, seats, roles and the current organization."""

import base64
import json
import time

import jwt
import pytest

from tests.conftest import PASSWORD
from tests.support import TEMPLATE, Api

SECRET = "a secret of the tests, long enough for HS256"


def bearer(app, token):
    return Api(app, Authorization=f"Bearer {token}")


def claims(organization, **changes):
    now = int(time.time())
    whole = {
        "sub": str(organization.users["member"]),
        "org": organization.id,
        "iat": now,
        "exp": now + 60,
        "sid": organization.sessions[organization.users["member"]],
        "iss": "pipeline",
        "aud": "pipeline-api",
        "jti": "1",
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not None}


def signed(organization, secret=SECRET, algorithm="HS256", headers=None, **changes):
    return jwt.encode(claims(organization, **changes), secret, algorithm=algorithm, headers=headers)


def test_a_token_with_all_claims_is_accepted(organization, anonymous):
    bearer(anonymous.app, signed(organization)).get("/api/auth/me", status=200)


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"jti": None},
        {"iss": "else"},
        {"iss": None},
        {"aud": "else"},
        {"aud": None},
        {"sub": None},
        {"sub": "x"},
        {"sub": "-1"},
        {"org": None},
        {"org": "1"},
        {"org": True},
        {"org": 2**63},
        {"nbf": 2**40},
        {"sid": None},
        {"sid": "1"},
        {"sid": 0},
        {"sid": 1.0},
        {"sid": 2**63},
        {"sub": " 1 "},
        {"sub": "١"},
        {"sub": "01"},
        {"sub": 1},
        {"sub": "9" * 19},
        {"exp": str(2**32)},
        {"exp": 2.0**32},
        {"exp": float("inf")},
        {"exp": True},
        {"exp": []},
        {"iat": "1"},
        {"iat": 2**32},
        {"iat": True},
        {"nbf": "x"},
        {"exp": int(time.time()) + 10 * 365 * 86400},
        {"exp": int(time.time()) + 901, "iat": int(time.time()) - 1},
    ],
    ids=" ".join,  # without the times, which differ from process to process
)
def test_a_token_with_a_wrong_or_missing_claim_is_refused(changes, organization, anonymous):
    answer = bearer(anonymous.app, signed(organization, **changes)).get("/api/auth/me", status=401)
    assert answer.json["code"] == "unauthenticated"
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "options",
    [
        {"secret": "another secret that is long enough, too"},
        {"secret": SECRET * 2, "algorithm": "HS512"},
        {"headers": {"kid": "unknown"}},
        {"headers": {"kid": "../1"}},
    ],
    ids=str,
)
def test_a_token_of_another_key_or_algorithm_is_refused(options, organization, anonymous):
    bearer(anonymous.app, signed(organization, **options)).get("/api/auth/me", status=401)


def test_an_unsigned_token_is_refused(organization, anonymous):
    def part(data):
        return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()

    token = f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims(organization))}."
    bearer(anonymous.app, token).get("/api/auth/me", status=401)


def test_a_removed_seat_works_on_the_very_next_request(organization):
    organization.member.get("/api/auth/me", status=200)
    organization.deactivate_seats()
    organization.member.get("/api/auth/me", status=401)


def test_a_demotion_works_on_the_very_next_request(organization, owner):
    organization.admin.post("/api/interview-templates", TEMPLATE, status=201)
    owner.execute("update app.organization_users set role = 'member' where organization_id = %s", [organization.id])
    answer = organization.admin.post("/api/interview-templates", {**TEMPLATE, "slug": "second"}, status=403)
    assert answer.json["code"] == "forbidden"


def test_me_lists_every_organization_with_an_active_seat(organization, new_organization):
    other, closed = new_organization(), new_organization()
    other.seat(organization.users["member"], role="admin")
    closed.seat(organization.users["member"], active=False)
    me = organization.member.get("/api/auth/me", status=200).json
    assert me["organizations"] == [
        {"id": organization.id, "name": organization.name, "role": "member"},
        {"id": other.id, "name": other.name, "role": "admin"},
    ]


@pytest.fixture
def other(organization, new_organization):
    """Another organization of the member's, whose admin they are."""
    made = new_organization()
    made.seat(organization.users["member"], role="admin")
    return made


@pytest.fixture
def refresh_token(organization):
    """A refresh token of the session that the member calls with."""
    return organization.refresh_token(organization.sessions[organization.users["member"]])


def switch(client, organization, refresh_token, **options):
    body = {"organization_id": organization.id, "refresh_token": refresh_token}
    return client.post("/api/auth/organization", body, **options)


def test_switching_the_organization_answers_tokens_for_it(organization, other, refresh_token, anonymous):
    answer = switch(organization.member, other, refresh_token, status=200).json
    me = bearer(anonymous.app, answer["access_token"]).get("/api/auth/me", status=200).json
    assert (me["organization"]["id"], me["role"]) == (other.id, "admin")
    assert organization.member.get("/api/auth/me").json["organization"]["id"] == organization.id


def test_the_next_login_starts_where_one_has_switched_to(organization, other, refresh_token, anonymous):
    credentials = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    assert anonymous.post("/api/auth/login", credentials).json["organization"]["id"] == organization.id
    switch(organization.member, other, refresh_token, status=200)
    assert anonymous.post("/api/auth/login", credentials).json["organization"]["id"] == other.id


def test_an_access_token_alone_does_not_switch(organization, other):
    organization.member.post("/api/auth/organization", {"organization_id": other.id}, status=422)
    foreign = organization.refresh_token(organization.sessions[organization.users["colleague"]])
    second = organization.refresh_token(organization.session(organization.users["member"]))
    for token in ("guessed", foreign, second):
        assert switch(organization.member, other, token, status=401).json["code"] == "invalid_refresh_token"


def test_what_a_switch_answers_dies_with_the_session(organization, other, refresh_token, anonymous):
    answer = switch(organization.member, other, refresh_token, status=200).json
    anonymous.post("/api/auth/logout", {"refresh_token": refresh_token}, status=204)
    bearer(anonymous.app, answer["access_token"]).get("/api/auth/me", status=401)
    anonymous.post("/api/auth/refresh", {"refresh_token": answer["refresh_token"]}, status=401)


def test_one_cannot_switch_to_a_stranger_organization(organization, new_organization, refresh_token):
    answer = switch(organization.member, new_organization(), refresh_token, status=422)
    assert answer.json["errors"][0]["name"] == "organization_id"
    assert switch(organization.member, organization, refresh_token, status=200)
