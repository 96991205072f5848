import contextlib

import jwt
import pytest

from pipeline.accounts import passwords
from pipeline.http.fairness import limits
from tests.accounts.conftest import refresh
from tests.conftest import PASSWORD


@pytest.fixture
def login(enter):
    return enter()


@pytest.fixture
def is_in(anonymous, signed_in):
    def works(tokens):
        found = signed_in(tokens).get("/api/auth/me").status_int, refresh(anonymous, tokens).status_int
        assert found in ((200, 200), (401, 401))
        return found == (200, 200)

    return works


def test_a_password_is_hashed_on_one_core():
    assert passwords.hash_password(PASSWORD).startswith("$argon2id$v=19$m=47104,t=1,p=1$")


def test_a_login_beyond_a_quarter_of_the_threads_is_refused_and_is_no_wrong_password(wsgi, log_in, address):
    with contextlib.ExitStack() as turns:
        for _ in range(wsgi.registry.pipeline.web_threads // 4):
            turns.enter_context(passwords.hash_slot())
        for _ in range(limits.LOGIN_FAILED.quota + 1):
            refused = log_in(address, status=429)
            assert refused.json["code"] == "busy"
            assert int(refused.headers["Retry-After"]) > 0
    log_in(address)


@pytest.mark.parametrize(
    ("person", "password"),
    [("member", "wrong"), ("nobody", PASSWORD), ("inactive", PASSWORD)],
    ids=["wrong password", "unknown address", "inactive seat"],
)
def test_a_failed_login_does_not_tell_why(person, password, organization, log_in):
    answer = log_in(f"{person}@{organization.name}.example", password, status=401)
    assert answer.json["code"] == "invalid_credentials"
    assert answer.json["detail"] == "The email address or the password is wrong."


def test_the_access_token_works_and_holds_no_role(login, signed_in):
    assert signed_in(login).get("/api/auth/me", status=200).json["role"] == "member"
    claims = jwt.decode(login["access_token"], options={"verify_signature": False})
    assert sorted(claims) == ["aud", "exp", "iat", "iss", "jti", "org", "sid", "sub"]
    assert isinstance(claims["sub"], str)


@pytest.mark.parametrize("rotations", [1, 2])
def test_a_token_that_is_used_again_later_ends_the_session(rotations, login, anonymous, is_in, owner, organization):
    last = login
    for _ in range(rotations):
        owner.execute("update app.refresh_tokens set rotated_at = rotated_at - interval '11 s'")
        last = refresh(anonymous, last).json
    kept = "select count(*) from app.refresh_tokens where organization_id = %s"
    assert owner.execute(kept, (organization.id,)).fetchone() == (2,)
    owner.execute("update app.refresh_tokens set rotated_at = rotated_at - interval '11 s'")
    assert refresh(anonymous, login).json["code"] == "invalid_refresh_token"
    assert not is_in(last)


def test_an_invented_token_of_no_family_ends_nothing(login, anonymous, is_in):
    for invented in (".", "x", login["refresh_token"].partition(".")[2], f"x.{login['refresh_token']}"):
        refresh(anonymous, {"refresh_token": invented}, status=401)
    assert is_in(login)


def test_a_session_ends_after_ninety_days_however_often_it_is_refreshed(login, is_in, owner, organization):
    days = "select extract(day from expires_at - created_at) from app.sessions where organization_id = %s"
    assert owner.execute(f"{days} order by id desc", (organization.id,)).fetchone()[0] == 90
    owner.execute("update app.sessions set expires_at = now() where organization_id = %s", (organization.id,))
    assert not is_in(login)


@pytest.mark.parametrize("forgotten", [False, True])
def test_logout_ends_the_login_and_says_nothing_about_unknown_tokens(forgotten, login, anonymous, is_in, owner):
    last = refresh(anonymous, login).json
    if forgotten:
        owner.execute("delete from app.refresh_tokens where rotated_at is not null")
    for token in (login["refresh_token"], "unknown"):
        anonymous.post("/api/auth/logout", {"refresh_token": token}, status=204)
    assert not is_in(last)
