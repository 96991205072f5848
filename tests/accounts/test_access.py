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


def test_a_token_with_all_claims_is_accepted(asked):
    assert asked().status_int == 200


@pytest.mark.parametrize("claim", WRONG)
def test_a_token_with_a_wrong_or_missing_claim_is_refused(claim, asked):
    for value in WRONG[claim]:
        answer = asked(**{claim: value})
        assert (answer.status_int, answer.json["code"]) == (401, "unauthenticated"), value
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_that_lasts_longer_than_fifteen_minutes_is_refused(asked):
    now = int(time.time())
    assert asked(exp=now + 901, iat=now - 1).status_int == 401


@pytest.mark.parametrize(
    "options",
    [
        {"secret": "another secret that is long enough, too"},
        {"secret": SECRET * 2, "algorithm": "HS512"},
        {"secret": None, "algorithm": "none"},
        {"headers": {"kid": "unknown"}},
        {"headers": {"kid": "../1"}},
    ],
    ids=str,
)
def test_a_token_of_another_key_or_algorithm_or_without_a_signature_is_refused(options, asked):
    assert asked(**options).status_int == 401


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
def second(organization, other):
    """Another organization of the member's, whose admin they are."""
    other.seat(organization.users["member"], role="admin")
    return other


@pytest.fixture
def refresh_token(organization):
    """A refresh token of the session that the member calls with."""
    return organization.refresh_token(organization.sessions[organization.users["member"]])


def switch(client, organization, refresh_token, **options):
    body = {"organization_id": organization.id, "refresh_token": refresh_token}
    return client.post("/api/auth/organization", body, **options)


def test_switching_the_organization_answers_tokens_for_it_and_the_next_login_starts_there(
    organization, second, refresh_token, signed_in, enter
):
    assert enter()["organization"]["id"] == organization.id
    tokens = switch(organization.member, second, refresh_token, status=200).json
    me = signed_in(tokens).get("/api/auth/me", status=200).json
    assert (me["organization"]["id"], me["role"]) == (second.id, "admin")
    assert organization.member.get("/api/auth/me").json["organization"]["id"] == organization.id
    assert enter()["organization"]["id"] == second.id


def test_an_access_token_alone_does_not_switch(organization, second):
    organization.member.post("/api/auth/organization", {"organization_id": second.id}, status=422)
    foreign = organization.refresh_token(organization.sessions[organization.users["colleague"]])
    later = organization.refresh_token(organization.session(organization.users["member"]))
    for token in ("guessed", foreign, later):
        assert switch(organization.member, second, token, status=401).json["code"] == "invalid_refresh_token"


def test_what_a_switch_answers_dies_with_the_session(organization, second, refresh_token, anonymous, signed_in):
    tokens = switch(organization.member, second, refresh_token, status=200).json
    anonymous.post("/api/auth/logout", {"refresh_token": refresh_token}, status=204)
    signed_in(tokens).get("/api/auth/me", status=401)
    refresh(anonymous, tokens, status=401)


def test_one_cannot_switch_to_a_stranger_organization(organization, other, refresh_token):
    answer = switch(organization.member, other, refresh_token, status=422)
    assert answer.json["errors"][0]["name"] == "organization_id"
    assert switch(organization.member, organization, refresh_token, status=200)
