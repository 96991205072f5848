"""Logging in, staying logged in, logging out."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest

from pipeline.accounts import passwords
from pipeline.http.quotas import limits
from tests.conftest import PASSWORD
from tests.support import Api


@pytest.fixture
def login(organization, anonymous):
    """The answer to the member's login."""
    body = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    return anonymous.post("/api/auth/login", body, headers={"User-Agent": "Tests"}, status=200).json


def refresh(anonymous, token):
    return anonymous.post("/api/auth/refresh", {"refresh_token": token})


def bearer(anonymous, tokens):
    """A client with the access token of an answer."""
    return Api(anonymous.app, Authorization=f"Bearer {tokens['access_token']}")


def pass_time(owner, organization, column, seconds):
    """Let a time of the organization's refresh tokens be so long ago, where they have it."""
    change = f"update app.refresh_tokens set {column} = now() - make_interval(secs => %s) where organization_id = %s"
    owner.execute(f"{change} and {column} is not null", (seconds, organization.id))


def test_login_answers_tokens_the_user_and_the_organization(login, organization):
    assert login["token_type"] == "Bearer"
    assert login["expires_in"] == 900
    assert login["user"] == {
        "id": organization.users["member"],
        "email": f"member@{organization.name}.example",
        "name": "Member",
    }
    assert login["organization"] == {
        "id": organization.id,
        "name": organization.name,
        "slug": organization.name,
        "time_zone": "UTC",
        "currency": "USD",
        "locale": "en",
    }


def test_passwords_are_hashed_in_one_lane_and_by_a_quarter_of_the_threads(wsgi, anonymous, organization):
    """More lanes would put one login on all cores."""
    assert passwords.hash_password(PASSWORD).startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    body = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    with all_turns(wsgi):
        refused = anonymous.post("/api/auth/login", body, status=429)
    assert refused.json["code"] == "busy"
    assert int(refused.headers["Retry-After"]) > 0
    anonymous.post("/api/auth/login", body, status=200)


def test_a_login_that_was_refused_since_others_kept_the_service_busy_is_no_wrong_password(
    wsgi, anonymous, organization
):
    body = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    with all_turns(wsgi):
        for _ in range(limits.LOGIN_FAILED.quota + 1):
            assert anonymous.post("/api/auth/login", body, status=429).json["code"] == "busy"
    anonymous.post("/api/auth/login", body, status=200)


@contextlib.contextmanager
def all_turns(wsgi):
    """As many passwords are being checked as may be at once."""
    with contextlib.ExitStack() as stack:
        for _ in range(wsgi.registry.pipeline.web_threads // 4):
            stack.enter_context(passwords.hash_slot())
        yield


@pytest.mark.parametrize(
    ("person", "password"),
    [("member", "wrong"), ("nobody", PASSWORD), ("inactive", PASSWORD)],
    ids=["wrong password", "unknown address", "inactive seat"],
)
def test_a_failed_login_does_not_tell_why(person, password, organization, anonymous):
    body = {"email": f"{person}@{organization.name}.example", "password": password}
    answer = anonymous.post("/api/auth/login", body, status=401)
    assert answer.json["code"] == "invalid_credentials"
    assert answer.json["detail"] == "The email address or the password is wrong."


def test_the_access_token_works_and_holds_no_role(login, anonymous):
    assert bearer(anonymous, login).get("/api/auth/me", status=200).json["role"] == "member"
    claims = jwt.decode(login["access_token"], options={"verify_signature": False})
    assert sorted(claims) == ["aud", "exp", "iat", "iss", "jti", "org", "sid", "sub"]
    assert isinstance(claims["sub"], str)


def test_each_refresh_answers_the_token_for_the_next(login, anonymous):
    first = refresh(anonymous, login["refresh_token"])
    assert first.status_int == 200
    assert refresh(anonymous, first.json["refresh_token"]).status_int == 200


def test_two_windows_that_refresh_at_once_both_stay_logged_in(login, anonymous):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: refresh(anonymous, login["refresh_token"]), range(20)))
    assert [answer.status_int for answer in answers] == [200] * 20
    successors = {answer.json["refresh_token"] for answer in answers}
    assert len(successors) == 20
    assert {refresh(anonymous, token).status_int for token in successors} == {200}


def test_a_token_that_is_used_later_again_ends_the_session(login, anonymous, owner, organization):
    successor = refresh(anonymous, login["refresh_token"]).json
    pass_time(owner, organization, "rotated_at", 11)
    assert refresh(anonymous, login["refresh_token"]).json["code"] == "invalid_refresh_token"
    assert refresh(anonymous, successor["refresh_token"]).status_int == 401
    bearer(anonymous, successor).get("/api/auth/me", status=401)


def test_a_token_that_was_rotated_is_forgotten_and_its_use_still_ends_the_session(
    login, anonymous, owner, organization
):
    second = refresh(anonymous, login["refresh_token"]).json
    pass_time(owner, organization, "rotated_at", 11)
    third = refresh(anonymous, second["refresh_token"]).json
    kept = "select count(*) from app.refresh_tokens where organization_id = %s"
    assert owner.execute(kept, (organization.id,)).fetchone() == (2,)
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
    assert refresh(anonymous, third["refresh_token"]).status_int == 401


def test_a_forgotten_token_still_logs_out(login, anonymous, owner, organization):
    second = refresh(anonymous, login["refresh_token"]).json
    owner.execute("delete from app.refresh_tokens where rotated_at is not null")
    anonymous.post("/api/auth/logout", {"refresh_token": login["refresh_token"]}, status=204)
    bearer(anonymous, second).get("/api/auth/me", status=401)


def test_an_invented_token_of_no_family_ends_nothing(login, anonymous):
    for invented in (".", "x", login["refresh_token"].partition(".")[2], f"x.{login['refresh_token']}"):
        assert refresh(anonymous, invented).status_int == 401
    assert refresh(anonymous, login["refresh_token"]).status_int == 200


def test_an_expired_refresh_token_is_refused(login, anonymous, owner, organization):
    pass_time(owner, organization, "expires_at", 1)
    assert refresh(anonymous, login["refresh_token"]).status_int == 401


def test_a_session_ends_after_ninety_days_however_often_it_is_refreshed(login, anonymous, owner, organization):
    days = "select extract(day from expires_at - created_at) from app.sessions where organization_id = %s"
    assert owner.execute(f"{days} order by id desc", (organization.id,)).fetchone()[0] == 90
    owner.execute("update app.sessions set expires_at = now() where organization_id = %s", (organization.id,))
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
    bearer(anonymous, login).get("/api/auth/me", status=401)


def test_a_refresh_token_of_before_a_deactivation_does_not_work_after_reactivation(login, anonymous, organization):
    path, seat = f"/api/users/{organization.users['member']}", {"name": "Member", "seat_active": False}
    organization.admin.put(path, seat, status=200)
    organization.admin.put(path, {**seat, "seat_active": True}, status=200)
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
    bearer(anonymous, login).get("/api/auth/me", status=401)


def test_logout_ends_the_login_and_says_nothing_about_unknown_tokens(login, anonymous):
    bearer(anonymous, login).get("/api/auth/me", status=200)
    anonymous.post("/api/auth/logout", {"refresh_token": login["refresh_token"]}, status=204)
    bearer(anonymous, login).get("/api/auth/me", status=401)
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
    anonymous.post("/api/auth/logout", {"refresh_token": "unknown"}, status=204)
