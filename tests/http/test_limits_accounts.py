"""Rate limits of logins, links and passwords: they stop guessing, and strangers cannot lock a user out."""

import re

import pytest

from pipeline.http.fairness import limits
from tests.conftest import PASSWORD
from tests.http.counting import ADDRESSES, client, used
from tests.http.target import assert_problem

LOGIN = "/api/auth/login"


@pytest.fixture
def right(organization):
    return {"email": f"member@{organization.name}.example", "password": PASSWORD}


@pytest.fixture
def wrong(right):
    return {**right, "password": "wrong"}


def test_a_hundred_failed_logins_of_an_address_from_all_places_are_enough(counting, right, wrong):
    first = client(counting).post(LOGIN, wrong, status=401)
    assert first.headers["RateLimit"] == (
        '"login-client";r=29;t=600, "login-failed";r=9;t=600, "login-address";r=99;t=600'
    )
    used(counting, limits.LOGIN_ADDRESS, limits.digest(right["email"]), 98)
    client(counting).post(LOGIN, wrong, status=401)
    refused = client(counting).post(LOGIN, {**right, "email": right["email"].upper()})
    assert_problem(refused, 429, "rate_limited")


def test_strangers_at_eleven_addresses_do_not_lock_the_owner_out(counting, right, wrong):
    for _ in range(11):
        client(counting).post(LOGIN, wrong, status=401)
    client(counting).post(LOGIN, right, status=200)


def test_ten_failed_logins_of_one_address_from_one_place_are_enough(counting, right, wrong):
    here = next(ADDRESSES)
    used(counting, limits.LOGIN_FAILED, f"{here}:{limits.digest(right['email'])}", 9)
    client(counting, here).post(LOGIN, wrong, status=401)
    assert_problem(client(counting, here).post(LOGIN, right), 429, "rate_limited")
    client(counting).post(LOGIN, right, status=200)


def test_a_successful_login_is_not_counted_as_a_failed_one(counting, right):
    here = next(ADDRESSES)
    for left in (29, 28):
        answer = client(counting, here).post(LOGIN, right, status=200)
        counts = re.findall(r'"([a-z-]+)";r=(\d+)', answer.headers["RateLimit"])
        assert counts == [("login-client", str(left)), ("login-failed", "10"), ("login-address", "100")]


@pytest.mark.parametrize(
    ("bucket", "path", "body"),
    [
        (limits.REFRESH, "refresh", {"refresh_token": "x"}),
        (limits.LOGOUT, "logout", {"refresh_token": "x"}),
        (limits.FORGOT, "password/forgot", {"email": "nobody@x.example"}),
        (limits.RESET, "password/reset", {"token": "x", "password": PASSWORD}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_requests_without_token_are_limited_for_each_client(bucket, path, body, counting):
    here = next(ADDRESSES)
    used(counting, bucket, here, 59)
    answer = client(counting, here).post(f"/api/auth/{path}", body)
    assert re.fullmatch(rf'"{bucket.name}";r=0;t=\d+', answer.headers["RateLimit"])
    assert_problem(client(counting, here).post(f"/api/auth/{path}", body), 429, "rate_limited")


def test_an_access_token_allows_ten_guesses_of_the_password(counting, organization):
    colleague = client(counting, **organization.colleague.headers)
    guess = {"current_password": "guessed", "new_password": "rather violet umbrella 7"}
    used(counting, limits.PASSWORD, organization.users["colleague"], 9)
    assert [colleague.put("/api/auth/password", guess).status_int for _ in range(2)] == [422, 429]


def test_a_client_that_tries_many_addresses_is_refused(counting):
    here = next(ADDRESSES)
    used(counting, limits.LOGIN_CLIENT, here, 29)
    for name, status in (("a", 401), ("b", 429)):
        client(counting, here).post(LOGIN, {"email": f"{name}@x.example", "password": "x"}, status=status)


def test_a_mailbox_is_not_flooded_with_invitations_however_they_are_sent(counting, organization, new_organization):
    admin, body = client(counting, **organization.admin.headers), {"email": f"kim@{organization.name}.new.example"}
    made = admin.post("/api/users", body, status=201).json["id"]
    for _ in range(3):
        admin.post(f"/api/users/{made}/invite", status=200)
    admin.delete(f"/api/users/{made}", status=204)
    made = admin.post("/api/users", {"email": body["email"].upper()}, status=201).json["id"]
    assert_problem(admin.post(f"/api/users/{made}/invite"), 429, "rate_limited")
    admin.post("/api/users", {"email": f"lee@{organization.name}.new.example"}, status=201)
    client(counting, **new_organization().admin.headers).post("/api/users", body, status=201)


@pytest.mark.parametrize("address", ["/forms/activate/" + "0" * 64, "/forms/reset/" + "0" * 64, "/forms/forgot"])
def test_pages_of_accounts_are_limited_by_a_page(address, counting):
    visitor = client(counting).app
    assert {visitor.get(address, status="*").status_int for _ in range(60)} <= {200, 404}
    refused = visitor.post(address, {"_go": "accept"}, status=429)
    assert refused.html.body["data-state"] == "limited"
    assert 590 < int(refused.headers["Retry-After"]) <= 600


def test_passwords_are_guessed_no_faster_by_a_link_than_by_a_login(counting, organization, new_organization, post):
    email = f"member@{new_organization().name}.example"
    organization.admin.post("/api/users", {"email": email}, status=201)
    guesser, body = client(counting), {"token": post.token(organization), "password": "a wrong guess"}
    assert [guesser.post("/api/auth/activate", body).status_int for _ in range(11)] == [401] * 10 + [429]
    guesser.post(LOGIN, {"email": email, "password": PASSWORD}, status=429)


def test_letters_that_are_folded_alike_are_no_further_buckets_of_one_account(counting):
    assert len({limits.digest(f"p{sign}t@x.example") for sign in "iIİı"}) == 3
