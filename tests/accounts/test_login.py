import contextlib

import jwt
import pytest

from pipeline.accounts import passwords
from pipeline.http.quotas import limits
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


def pass_time(owner, organization, column, seconds):
    """Let a time of the organization's refresh tokens be so long ago, where they have it."""
    change = f"update app.refresh_tokens set {column} = now() - make_interval(secs => %s) where organization_id = %s"
    owner.execute(f"{change} and {column} is not null", (seconds, organization.id))


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


def test_a_token_that_is_used_later_again_ends_the_session(login, anonymous, is_in, owner, organization):
    successor = refresh(anonymous, login).json
    pass_time(owner, organization, "rotated_at", 11)
    assert refresh(anonymous, login).json["code"] == "invalid_refresh_token"
    assert not is_in(successor)


def test_a_token_that_was_rotated_is_forgotten_and_its_use_still_ends_the_session(
    login, anonymous, is_in, owner, organization
):
    second = refresh(anonymous, login).json
    pass_time(owner, organization, "rotated_at", 11)
    third = refresh(anonymous, second).json
    kept = "select count(*) from app.refresh_tokens where organization_id = %s"
    assert owner.execute(kept, (organization.id,)).fetchone() == (2,)
    refresh(anonymous, login, status=401)
    assert not is_in(third)


def test_a_forgotten_token_still_logs_out(login, anonymous, is_in, owner):
    second = refresh(anonymous, login).json
    owner.execute("delete from app.refresh_tokens where rotated_at is not null")
    anonymous.post("/api/auth/logout", {"refresh_token": login["refresh_token"]}, status=204)
    assert not is_in(second)


def test_an_invented_token_of_no_family_ends_nothing(login, anonymous, is_in):
    for invented in (".", "x", login["refresh_token"].partition(".")[2], f"x.{login['refresh_token']}"):
        refresh(anonymous, {"refresh_token": invented}, status=401)
    assert is_in(login)


def test_a_session_ends_after_ninety_days_however_often_it_is_refreshed(login, is_in, owner, organization):
    days = "select extract(day from expires_at - created_at) from app.sessions where organization_id = %s"
    assert owner.execute(f"{days} order by id desc", (organization.id,)).fetchone()[0] == 90
    owner.execute("update app.sessions set expires_at = now() where organization_id = %s", (organization.id,))
    assert not is_in(login)


def test_logout_ends_the_login_and_says_nothing_about_unknown_tokens(login, anonymous, is_in):
    for token in (login["refresh_token"], "unknown"):
        anonymous.post("/api/auth/logout", {"refresh_token": token}, status=204)
    assert not is_in(login)
