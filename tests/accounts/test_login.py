"""Logging in, staying logged in, logging out."""

from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest

from tests.conftest import PASSWORD
from tests.support import Api


@pytest.fixture
def login(organization, anonymous):
    """The answer to the member's login."""
    body = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    return anonymous.post("/api/auth/login", body, status=200).json


def refresh(anonymous, token):
    return anonymous.post("/api/auth/refresh", {"refresh_token": token})


def test_login_answers_tokens_the_user_and_the_organization(login, organization):
    assert login["token_type"] == "Bearer"
    assert login["expires_in"] == 900
    assert login["user"] == {
        "id": organization.users["member"], "email": f"member@{organization.name}.example", "name": "Member"
    }
    assert login["organization"] == {
        "id": organization.id, "name": organization.name, "slug": organization.name,
        "time_zone": "UTC", "currency": "USD", "locale": "en",
    }


def test_the_email_address_is_compared_without_case(organization, anonymous):
    body = {"email": f"MEMBER@{organization.name}.example", "password": PASSWORD}
    anonymous.post("/api/auth/login", body, status=200)


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
    client = Api(anonymous.app, Authorization=f"Bearer {login['access_token']}")
    assert client.get("/api/auth/me", status=200).json["role"] == "member"
    claims = jwt.decode(login["access_token"], options={"verify_signature": False})
    assert sorted(claims) == ["aud", "exp", "iat", "iss", "jti", "org", "sub"]
    assert isinstance(claims["sub"], str)


def test_a_refresh_token_is_good_once(login, anonymous):
    first = refresh(anonymous, login["refresh_token"])
    assert first.status_int == 200
    assert refresh(anonymous, first.json["refresh_token"]).status_int == 200


def test_a_reused_refresh_token_ends_the_whole_login(login, anonymous):
    successor = refresh(anonymous, login["refresh_token"]).json["refresh_token"]
    assert refresh(anonymous, login["refresh_token"]).json["code"] == "invalid_refresh_token"
    assert refresh(anonymous, successor).status_int == 401


def test_of_parallel_refreshes_one_wins(login, anonymous):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: refresh(anonymous, login["refresh_token"]).status_int, range(8)))
    assert sorted(answers) == [200] + [401] * 7


def test_an_expired_refresh_token_is_refused(login, anonymous, owner, organization):
    owner.execute(
        "update app.refresh_tokens set expires_at = now() - interval '1 second' where organization_id = %s",
        (organization.id,),
    )
    assert refresh(anonymous, login["refresh_token"]).status_int == 401


def test_logout_ends_the_login_and_says_nothing_about_unknown_tokens(login, anonymous):
    anonymous.post("/api/auth/logout", {"refresh_token": login["refresh_token"]}, status=204)
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
    anonymous.post("/api/auth/logout", {"refresh_token": "unknown"}, status=204)


def test_a_deactivated_seat_cannot_refresh(login, anonymous, organization):
    organization.deactivate_seats()
    assert refresh(anonymous, login["refresh_token"]).status_int == 401
