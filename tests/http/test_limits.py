"""Rate limits: exact over processes, headers in every response, and the client's address."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from pipeline.http.clients import network
from pipeline.http.fairness import limits
from tests.http.counting import ADDRESSES, FORM, client, let_through, remaining, used
from tests.http.target import assert_problem
from tests.support import interview
from tests.waiting import wait_until

CAPTURE = "/api/public/interview/capture/nothing"


def test_a_hundred_requests_pass_and_the_next_is_refused(counting):
    prospect, begun = client(counting), time.monotonic()
    assert let_through(prospect.get(FORM) for _ in range(100)) == 100
    refused = prospect.get(FORM)
    assert_problem(refused, 429, "rate_limited")
    assert 600 - (time.monotonic() - begun) <= int(refused.headers["Retry-After"]) <= 600
    client(counting).get(FORM, status=404)


def test_looking_and_saving_share_a_bucket_and_submitting_has_its_own(counting):
    prospect = client(counting)
    assert let_through(prospect.get(FORM) for _ in range(50)) == 50
    assert let_through(prospect.get(CAPTURE) for _ in range(10)) == 10
    assert let_through(prospect.patch(FORM, {"answers": {}}) for _ in range(50)) == 40
    assert let_through(prospect.post(f"{FORM}/submit", {}) for _ in range(10)) == 10
    assert let_through(prospect.post(f"{CAPTURE}/submit", {}) for _ in range(15)) == 10


def test_every_answer_tells_its_limit_if_it_has_one_and_what_is_left(counting, organization):
    prospect, path = client(counting), interview(organization.invite())
    for left, answer in (
        (99, prospect.get(path, status=200)),
        (98, prospect.get(FORM, status=404)),
        (97, prospect.patch(path, {"answers": 1}, status=422)),
        (96, prospect.request("HEAD", path, status=200)),
    ):
        assert answer.headers["RateLimit-Policy"] == '"public-forms";q=100;w=600'
        assert re.fullmatch(rf'"public-forms";r={left};t=(600|59\d)', answer.headers["RateLimit"])
    for path, token in (("/healthz", ""), ("/api/leads", "Bearer nonsense")):
        assert "RateLimit" not in client(counting, Authorization=token).get(path).headers


@pytest.mark.parametrize("kind", ["user", "key"])
def test_a_user_and_a_key_have_a_quota_wherever_they_call_from(kind, counting, organization):
    callers = {"user": (organization.member, organization.admin), "key": (organization.key(), organization.key())}
    one, other = callers[kind]
    answers = [client(counting, **api.headers).get("/api/leads", status=200) for api in (one, one, other)]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {f'"{kind}";q=1200;w=60'}
    assert [remaining(answer) for answer in answers] == [1199, 1198, 1199]


def test_a_user_who_has_used_their_quota_is_refused(counting, organization):
    used(counting, limits.USER, organization.users["member"], 1200, seconds=30)
    refused = client(counting, **organization.member.headers).get("/api/leads")
    assert_problem(refused, 429, "rate_limited")
    assert 1 <= int(refused.headers["Retry-After"]) <= 30


def test_an_upload_is_counted_once(counting, organization):
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = client(counting, **organization.member.headers).request(
        "POST", "/api/leads/import", raw=b"x", headers=form
    )
    assert remaining(answer) == 1199


def test_a_revoked_key_counts_to_itself_and_one_that_never_was_to_its_address(counting, organization):
    revoked = organization.key(revoked_at=datetime.now(UTC)).headers["Authorization"]
    address = next(ADDRESSES)
    for _ in range(limits.UNKNOWN_KEY.quota + 1):
        client(counting, address, Authorization=revoked).get("/api/leads", status=401)
    for _ in range(limits.UNKNOWN_KEY.quota):
        client(counting, address, Authorization="Bearer pl_" + "0" * 43).get("/api/leads", status=401)
    client(counting, address, Authorization="Bearer pl_" + "1" * 43).get("/api/leads", status=429)


def test_a_window_ends(counting):
    counts = counting.registry.limits
    assert [counts.count("ends", 60_000)[0] for _ in range(3)] == [1, 2, 3]
    assert counts.redis.pexpire("ends", 1)
    wait_until(lambda: not counts.redis.exists("ends"))
    count, left = counts.count("ends", 60_000)
    assert (count, 0 < left <= 60_000) == (1, True)


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"])
def test_no_header_makes_somebody_else_of_a_client(header, counting):
    prospect = client(counting)
    answers = [prospect.get(FORM, headers={header: f"198.51.100.{n}"}) for n in range(2)]
    assert [remaining(answer) for answer in answers] == [99, 98]


def test_behind_proxies_the_client_is_whom_the_outermost_of_them_saw_and_else_the_peer(make_counting):
    app = make_counting(trusted_proxies=2)

    def ask(forwarded, peer="10.250.0.1"):
        return remaining(client(app, peer).get(FORM, headers={"X-Forwarded-For": forwarded}))

    assert ask("192.0.2.1, 10.250.0.2") == 99
    assert ask("8.8.8.8, 192.0.2.1, 10.250.0.2") == 98
    assert ask("192.0.2.1:4711,10.250.0.3") == 97
    assert ask("192.0.2.2, 10.250.0.2") == 99
    for broken in ("", ",", "192.0.2.9", "nonsense, 10.0.0.1", "[::1, 10.0.0.1"):
        peer = next(ADDRESSES)
        assert [ask(broken, peer) for _ in range(2)] == [99, 98], broken


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.256", None),
    ],
)
def test_an_address_is_an_ipv4_address_or_half_an_ipv6_address(text, expected):
    assert network(text) == expected


def test_many_at_once_of_two_applications_with_one_redis_get_exactly_the_quota(counting, make_counting):
    address = next(ADDRESSES)
    clients = [client(app, address) for app in (counting, make_counting())]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: clients[number % 2].get(FORM), range(140)))
    assert let_through(answers) == 100
