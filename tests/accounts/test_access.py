import time

import jwt
import pytest

from tests.accounts.conftest import refresh

SECRET = "a secret of the tests, long enough for HS256"
YEAR = 365 * 86400
# None is a claim that is missing.
WRONG = {
    "iss": [None, "else"],
    "aud": [None, "else"],
    "jti": [None],
    "sub": [None, "x", "-1", " 1 ", "١", "01", 1, "9" * 19],
    "org": [None, "1", True, 2**63],
    "sid": [None, "1", 0, 1.0, 2**63],
    "iat": [None, "1", True, 2**32],
    "nbf": ["x", 2**40],
    "exp": [None, 1, str(2**32), 2.0**32, float("inf"), True, [], int(time.time()) + 10 * YEAR],
}


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


@pytest.fixture
def asked(organization, signed_in):
    """asked(secret=…, **claims): the answer to a token with other claims, or signed otherwise."""

    def ask(secret=SECRET, algorithm="HS256", headers=None, **changes):
        token = jwt.encode(claims(organization, **changes), secret, algorithm=algorithm, headers=headers)
        return signed_in({"access_token": token}).get("/api/auth/me")

    return ask


@pytest.mark.parametrize("claim", WRONG)
def test_a_token_with_all_claims_is_accepted_and_one_with_a_wrong_or_missing_claim_refused(claim, asked):
    assert asked().status_int == 200
    for value in WRONG[claim]:
        answer = asked(**{claim: value})
        assert (answer.status_int, answer.json["code"]) == (401, "unauthenticated"), value
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_of_another_key_or_algorithm_without_a_signature_or_for_longer_than_15_minutes_is_refused(asked):
    now = int(time.time())
    for options in (
        {"secret": "another secret that is long enough, too"},
        {"secret": SECRET * 2, "algorithm": "HS512"},
        {"secret": None, "algorithm": "none"},
        {"headers": {"kid": "unknown"}},
        {"headers": {"kid": "../1"}},
        {"iat": now - 1, "exp": now + 901},
    ):
        assert asked(**options).status_int == 401, options


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
def refresh_token(organization):
    """A refresh token of the session that the member calls with."""
    return organization.refresh_token(organization.sessions[organization.users["member"]])


def switch(client, organization, refresh_token, **options):
    body = {"organization_id": organization.id, "refresh_token": refresh_token}
    return client.post("/api/auth/organization", body, **options)


def test_switching_the_organization_answers_tokens_for_it_which_die_with_the_session_and_a_login_starts_there(
    organization, other, refresh_token, anonymous, signed_in, enter
):
    assert switch(organization.member, organization, refresh_token, status=200)
    other.seat(organization.users["member"], role="admin")
    assert enter()["organization"]["id"] == organization.id
    tokens = switch(organization.member, other, refresh_token, status=200).json
    me = signed_in(tokens).get("/api/auth/me", status=200).json
    assert (me["organization"]["id"], me["role"]) == (other.id, "admin")
    assert organization.member.get("/api/auth/me").json["organization"]["id"] == organization.id
    assert enter()["organization"]["id"] == other.id
    anonymous.post("/api/auth/logout", {"refresh_token": refresh_token}, status=204)
    signed_in(tokens).get("/api/auth/me", status=401)
    refresh(anonymous, tokens, status=401)


def test_nobody_switches_to_a_strangers_organization_or_by_an_access_token_alone(organization, other, refresh_token):
    answer = switch(organization.member, other, refresh_token, status=422)
    assert answer.json["errors"][0]["name"] == "organization_id"
    other.seat(organization.users["member"])
    organization.member.post("/api/auth/organization", {"organization_id": other.id}, status=422)
    foreign = organization.refresh_token(organization.sessions[organization.users["colleague"]])
    later = organization.refresh_token(organization.session(organization.users["member"]))
    for token in ("guessed", foreign, later):
        assert switch(organization.member, other, token, status=401).json["code"] == "invalid_refresh_token"
