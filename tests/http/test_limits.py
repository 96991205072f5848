"""Rate limits: exact over processes, headers on every answer, and no less strict or slower while Redis is away."""

import itertools
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

import pytest
from webtest import TestApp

from pipeline import make_app
from pipeline.http import counts, limits
from pipeline.http.clients import network
from pipeline.http.counts import Counts, OwnCounts
from pipeline.settings import SettingsError, load
from tests.conftest import PASSWORD
from tests.http.processes import speak, status, web_process
from tests.http.target import assert_problem
from tests.support import Api, interview

FORM = "/api/public/interview/" + "0" * 64
CAPTURE = "/api/public/interview/capture/nothing"
ADDRESSES = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(1, 200), range(200), range(1, 200)))


@pytest.fixture(scope="module")
def make_counting(settings, redis_server):
    """make_counting(**changes): an application that really counts, in the module's Redis."""
    made = []

    def make(**changes):
        options = {"rate_limit_factor": 1, "redis_url": redis_server.url, "database_pool": 4, **changes}
        made.append(make_app(replace(settings, **options)))
        return made[-1]

    yield make
    for app in made:
        for part in (app.registry.app, app.registry.forms, app.registry.limits):
            part.close()


@pytest.fixture(scope="module")
def counting(make_counting):
    """An application that trusts no proxy."""
    return make_counting()


@pytest.fixture(scope="module")
def behind_proxies(make_counting):
    """An application behind two proxies."""
    return make_counting(trusted_proxies=2)


def client(app, address=None, **headers):
    """A client of `app` that calls from an address, by default one of its own."""
    return Api(TestApp(app, extra_environ={"REMOTE_ADDR": address or next(ADDRESSES)}), **headers)


def let_through(answers):
    """How many of the answers were not refused."""
    return sum(answer.status_int != 429 for answer in answers)


def remaining(answer):
    return int(re.search(r"r=(\d+)", answer.headers["RateLimit"])[1])


def used(app, bucket, who, count, seconds=600):
    """Let somebody have used a part of their quota."""
    app.registry.limits.redis.set(f"{counts.PREFIX}:{bucket.name}:{who}", count, ex=seconds)


def test_a_hundred_requests_pass_and_the_next_is_refused(counting):
    prospect = client(counting)
    assert let_through(prospect.get(FORM) for _ in range(100)) == 100
    refused = prospect.get(FORM)
    assert_problem(refused, 429, "rate_limited")
    assert 590 < int(refused.headers["Retry-After"]) <= 600
    assert client(counting).get(FORM).status_int == 404


def test_looking_and_saving_share_a_bucket_and_submitting_has_its_own(counting):
    prospect = client(counting)
    assert let_through(prospect.get(FORM) for _ in range(50)) == 50
    assert let_through(prospect.get(CAPTURE) for _ in range(10)) == 10
    assert let_through(prospect.patch(FORM, {"answers": {}}) for _ in range(50)) == 40
    assert let_through(prospect.post(f"{FORM}/submit", {}) for _ in range(10)) == 10
    assert let_through(prospect.post(f"{CAPTURE}/submit", {}) for _ in range(15)) == 10


def test_every_answer_tells_the_limit_and_what_is_left(counting, organization):
    prospect, path = client(counting), interview(organization.invite())
    for left, answer in (
        (99, prospect.get(path, status=200)),
        (98, prospect.get(FORM, status=404)),
        (97, prospect.patch(path, {"answers": 1}, status=422)),
        (96, prospect.request("HEAD", path, status=200)),
    ):
        assert answer.headers["RateLimit-Policy"] == '"public-forms";q=100;w=600'
        assert re.fullmatch(rf'"public-forms";r={left};t=(600|59\d)', answer.headers["RateLimit"])


def test_what_is_not_limited_says_nothing_of_limits(counting):
    answer = client(counting).get("/healthz", status=200)
    assert "RateLimit" not in answer.headers
    assert "RateLimit-Policy" not in answer.headers


def test_a_login_is_limited_by_address_and_by_client(counting, organization):
    pat = {"email": f"member@{organization.name}.example", "password": "wrong"}
    first = client(counting).post("/api/auth/login", pat, status=401)
    assert first.headers["RateLimit"] == (
        '"login-client";r=29;t=600, "login-failed";r=9;t=600, "login-address";r=99;t=600'
    )
    used(counting, limits.LOGIN_ADDRESS, limits.digest(pat["email"]), 99)
    client(counting).post("/api/auth/login", pat, status=401)
    right = {"email": pat["email"].upper(), "password": PASSWORD}
    assert_problem(client(counting).post("/api/auth/login", right), 429, "rate_limited")


def test_strangers_at_eleven_addresses_do_not_lock_the_owner_out(counting, organization):
    pat = {"email": f"member@{organization.name}.example", "password": "wrong"}
    for _ in range(11):
        client(counting).post("/api/auth/login", pat, status=401)
    client(counting).post("/api/auth/login", {**pat, "password": PASSWORD}, status=200)


def test_ten_failed_logins_of_one_address_from_one_place_are_enough(counting, organization):
    here, pat = next(ADDRESSES), {"email": f"member@{organization.name}.example", "password": "wrong"}
    used(counting, limits.LOGIN_FAILED, f"{here}:{limits.digest(pat['email'])}", 9)
    client(counting, here).post("/api/auth/login", pat, status=401)
    assert_problem(client(counting, here).post("/api/auth/login", {**pat, "password": PASSWORD}), 429, "rate_limited")
    client(counting).post("/api/auth/login", {**pat, "password": PASSWORD}, status=200)


def test_a_successful_login_is_not_counted_as_a_failed_one(counting, organization):
    here, right = next(ADDRESSES), {"email": f"member@{organization.name}.example", "password": PASSWORD}
    for left in (29, 28):
        answer = client(counting, here).post("/api/auth/login", right, status=200)
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
def test_what_needs_no_token_is_limited_for_each_client(bucket, path, body, counting):
    here = next(ADDRESSES)
    used(counting, bucket, here, 59)
    answer = client(counting, here).post(f"/api/auth/{path}", body)
    assert re.fullmatch(rf'"{bucket.name}";r=0;t=\d+', answer.headers["RateLimit"])
    assert_problem(client(counting, here).post(f"/api/auth/{path}", body), 429, "rate_limited")


def test_who_holds_an_access_token_guesses_ten_passwords(counting, organization):
    colleague = client(counting, **organization.colleague.headers)
    guess = {"current_password": "guessed", "new_password": "rather violet umbrella 7"}
    answers = [colleague.put("/api/auth/password", guess).status_int for _ in range(11)]
    assert answers == [422] * 10 + [429]


def test_a_client_that_tries_many_addresses_is_refused(counting):
    address = next(ADDRESSES)
    used(counting, limits.LOGIN_CLIENT, address, 29)
    answers = [
        client(counting, address).post("/api/auth/login", {"email": f"p{n}@x.example", "password": "x"})
        for n in range(2)
    ]
    assert [answer.status_int for answer in answers] == [401, 429]


def test_a_user_has_one_quota_wherever_they_call_from(counting, organization):
    headers = organization.member.headers
    first = client(counting, **headers).get("/api/auth/me", status=200)
    second = client(counting, **headers).get("/api/leads/1", status=404)
    assert first.headers["RateLimit-Policy"] == '"user";q=1200;w=60'
    assert (remaining(first), remaining(second)) == (1199, 1198)
    assert remaining(client(counting, **organization.admin.headers).get("/api/auth/me")) == 1199


def test_a_user_who_has_used_their_quota_is_refused_before_the_database_is_asked(counting, organization):
    used(counting, limits.USER, organization.users["member"], 1200, seconds=30)
    refused = client(counting, **organization.member.headers).get("/api/leads")
    assert_problem(refused, 429, "rate_limited")
    assert 1 <= int(refused.headers["Retry-After"]) <= 30


def test_an_upload_is_counted_once(counting, organization):
    answer = client(counting, **organization.member.headers).request(
        "POST", "/api/leads/import", raw=b"no form", headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert remaining(answer) == 1199


def test_without_a_valid_token_nothing_is_counted(counting):
    answer = client(counting, Authorization="Bearer nonsense").get("/api/leads", status=401)
    assert "RateLimit" not in answer.headers


def test_a_window_ends(counting):
    counts = counting.registry.limits
    assert [counts.count("short", 1500)[0] for _ in range(3)] == [1, 2, 3]
    time.sleep(1.6)
    count, left = counts.count("short", 1500)
    assert (count, 0 < left <= 1500) == (1, True)


def test_a_count_that_lost_its_end_gets_one(counting):
    counting.registry.limits.redis.set("endless", 7)
    assert counting.registry.limits.count("endless", 5000) == [8, 5000]


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "Via"]
)
def test_no_header_makes_somebody_else_of_a_client(header, counting):
    prospect = client(counting)
    answers = [prospect.get(FORM, headers={header: f"198.51.100.{n}"}) for n in range(101)]
    assert let_through(answers) == 100


def test_behind_proxies_the_client_is_whom_the_outermost_of_them_saw(behind_proxies):
    def ask(forwarded):
        return remaining(client(behind_proxies, "10.250.0.1").get(FORM, headers={"X-Forwarded-For": forwarded}))

    assert ask("192.0.2.1, 10.250.0.2") == 99
    assert ask("8.8.8.8, 192.0.2.1, 10.250.0.2") == 98
    assert ask("192.0.2.1:4711,10.250.0.3") == 97
    assert ask("192.0.2.2, 10.250.0.2") == 99


@pytest.mark.parametrize("forwarded", ["", ",", "192.0.2.9", "nonsense, 10.0.0.1", "1.2.3.4.5, x", "[::1, 10.0.0.1"])
def test_a_broken_entry_counts_for_the_peer(forwarded, behind_proxies):
    peer = next(ADDRESSES)
    answers = [client(behind_proxies, peer).get(FORM, headers={"X-Forwarded-For": forwarded}) for _ in range(2)]
    assert [remaining(answer) for answer in answers] == [99, 98]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:80", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", None),
        ("_hidden", None),
        ("", None),
        ("192.0.2.256", None),
    ],
)
def test_an_address_is_an_ipv4_address_or_half_an_ipv6_address(text, expected):
    assert network(text) == expected


def test_many_at_once_get_exactly_the_quota(counting):
    prospect = client(counting)
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: prospect.get(FORM), range(140)))
    assert let_through(answers) == 100


@pytest.fixture(scope="module")
def two_processes(login_url, redis_server, tmp_path_factory):
    """The ports of two web processes, one by each server, that count in the same Redis."""
    logs = tmp_path_factory.mktemp("two")
    with (
        web_process("waitress", login_url, logs / "waitress", REDIS_URL=redis_server.url) as (_, first),
        web_process("production", login_url, logs / "production", REDIS_URL=redis_server.url) as (_, second),
    ):
        yield first, second


def statuses(port, count, address, forwarded="192.0.2.{}"):
    """The statuses of requests that arrive at once, each with another X-Forwarded-For."""

    def ask(number):
        lines = f"GET {FORM} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {forwarded.format(number)}\r\n\r\n"
        return status(speak(port, lines.encode(), address=address))

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(ask, range(count)))


def test_two_processes_at_once_let_exactly_the_quota_through(two_processes):
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda port: statuses(port, 70, "127.0.1.1"), two_processes))
    assert sorted(answers[0] + answers[1]) == [404] * 100 + [429] * 40


def test_each_process_knows_its_peer_whatever_the_request_says(two_processes):
    assert [statuses(port, 1, "127.0.1.2") for port in two_processes] == [[404], [404]]
    assert statuses(two_processes[1], 99, "127.0.1.2").count(429) == 1
    assert statuses(two_processes[0], 1, "127.0.1.2") == [429]
    assert statuses(two_processes[0], 1, "127.0.1.3") == [404]


@pytest.mark.parametrize("server", ["waitress", "production"])
def test_behind_a_proxy_each_of_its_clients_has_a_quota(server, login_url, tmp_path):
    with web_process(server, login_url, tmp_path / "log", TRUSTED_PROXIES="1") as (_, port):
        assert set(statuses(port, 101, "127.0.1.4")) == {404}
        assert statuses(port, 101, "127.0.1.4", "192.0.2.{}, 198.51.100.1").count(429) == 1


def test_an_address_that_is_no_redis_stops_the_start(make_counting):
    with pytest.raises(SettingsError, match="REDIS_URL"):
        make_counting(redis_url="http://127.0.0.1")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "all"),
        ("RATE_LIMIT_FACTOR", "0"),
        ("RATE_LIMIT_FACTOR", "off"),
        ("WEB_STALL_SECONDS", "0"),
        ("WEB_HEADER_SECONDS", "nan"),
        ("WEB_CONNECTIONS_PER_ADDRESS", "-1"),
    ],
)
def test_a_setting_that_would_undo_the_limits_stops_the_start(variable, value):
    with pytest.raises(SettingsError, match=variable):
        load({}, {"DATABASE_URL": "postgresql://x", "JWT_SECRET": "x" * 32, variable: value})


def ahead(counting, key, requests, quota=limits.USER.quota):
    """How many of so many requests, sixteen at once, one process lets through of a quota that is counted ahead."""
    with ThreadPoolExecutor(16) as pool:
        return sum(
            count <= quota for count, _ in pool.map(lambda _: counting.count_ahead(key, 60_000, quota), requests)
        )


def test_counting_ahead_one_process_lets_exactly_the_quota_through(counting):
    assert ahead(counting.registry.limits, "ahead-alone", range(1500)) == 1200


def test_counting_ahead_two_processes_let_no_more_than_the_quota_through(counting, redis_server):
    processes, keys = [Counts(redis_server.url) for _ in range(2)], ["ahead-both"] * 2
    with ThreadPoolExecutor(2) as pool:
        through = sum(pool.map(ahead, processes, keys, [range(1000)] * 2))
    assert 1200 - counts.AHEAD <= through <= 1200


def test_who_asks_again_and_again_is_counted_with_few_questions_to_redis(counting):
    there = counting.registry.limits
    there.redis.config_resetstat()
    told = [there.count_ahead("ahead-often", 60_000, 1200)[0] for _ in range(1200)]
    assert told == [*range(1, 1201)]
    assert there.redis.info("commandstats")["cmdstat_evalsha"]["calls"] < 300
    assert there.count_ahead("ahead-often", 60_000, 1200)[0] > 1200


def test_what_was_counted_ahead_ends_with_its_window(counting):
    there = counting.registry.limits
    assert [there.count_ahead("ahead-short", 1500, 1200)[0] for _ in range(7)] == [*range(1, 8)]
    until(lambda: there.count_ahead("ahead-short", 1500, 1200)[0] == 1)


def test_a_process_that_counts_ahead_for_too_many_begins_anew(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    alone = Counts("")
    assert [alone.count_ahead(f"key {number}", 60_000, 1200)[0] for number in range(100)] == [1] * 100
    assert len(alone.taken) <= 10


def test_own_counts_are_exact_too():
    own = OwnCounts()
    with ThreadPoolExecutor(16) as pool:
        counts = list(pool.map(lambda _: own.count("key", 60_000)[0], range(2000)))
    assert sorted(counts) == list(range(1, 2001))


def test_own_counts_forget_what_has_ended(monkeypatch):
    monkeypatch.setattr(counts, "CROWDED", 10)
    own = OwnCounts()
    own.crowd = 10
    for number in range(100):
        own.count(f"key {number}", 0)
    assert len(own.windows) <= 11


def test_without_redis_a_process_counts_by_itself(make_counting, counting):
    alone = make_counting(redis_url="")
    prospect = client(alone)
    assert let_through(prospect.get(FORM) for _ in range(105)) == 100


def test_while_redis_is_away_the_limit_holds_and_nothing_fails(counting, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    redis_server.stop()
    assert let_through(prospect.get(FORM) for _ in range(105)) == 100
    redis_server.start()
    until(lambda: not counting.registry.limits.away)
    assert remaining(prospect.get(FORM, status=404)) == 99


def test_a_restart_of_redis_is_not_even_noticed(counting, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    redis_server.stop()
    redis_server.start()
    assert remaining(prospect.get(FORM, status=404)) == 99
    assert not counting.registry.limits.away


def test_a_silent_redis_delays_the_first_request_and_no_other(counting, redis_server):
    prospect = client(counting)
    prospect.get(FORM, status=404)
    with redis_server.frozen():
        durations = [duration(lambda: prospect.get(FORM, status=404)) for _ in range(20)]
        assert counting.registry.limits.away
    assert median(durations) < counts.PATIENCE
    until(lambda: not counting.registry.limits.away)


def test_a_redis_that_was_never_there_is_found_when_it_comes(redis_server):
    redis_server.stop()
    counts = Counts(redis_server.url)
    assert counts.count("late", 60_000)[0] == 1
    redis_server.start()
    until(lambda: not counts.away)
    assert counts.count("late", 60_000)[0] == 1
    assert counts.redis.exists("late")
    counts.close()


def test_a_thread_that_has_ended_leaves_no_connection_behind(redis_server):
    counts = Counts(redis_server.url)
    counts.count("thread", 60_000)
    before = len(counts.redis.client_list())
    for _ in range(20):
        thread = threading.Thread(target=counts.count, args=("thread", 60_000))
        thread.start()
        thread.join()
    until(lambda: len(counts.redis.client_list()) <= before)
    assert counts.count("thread", 60_000)[0] == 22
    counts.close()


def duration(action):
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def until(condition):
    for _ in range(200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("It does not come to that.")


def test_a_mailbox_is_not_flooded_with_invitations_however_they_are_sent(counting, organization, new_organization):
    admin, body = client(counting, **organization.admin.headers), {"email": f"kim@{organization.name}.new.example"}
    made = admin.post("/api/users", body, status=201).json["id"]
    assert [admin.post(f"/api/users/{made}/invite").status_int for _ in range(3)] == [200] * 3
    admin.delete(f"/api/users/{made}", status=204)
    made = admin.post("/api/users", {"email": body["email"].upper()}, status=201).json["id"]
    assert_problem(admin.post(f"/api/users/{made}/invite"), 429, "rate_limited")
    admin.post("/api/users", {"email": f"lee@{organization.name}.new.example"}, status=201)
    other = new_organization().admin
    client(counting, **other.headers).post("/api/users", body, status=201)


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
    assert guesser.post("/api/auth/login", {"email": email, "password": PASSWORD}).status_int == 429


def test_a_key_has_a_bucket_of_its_own_wherever_it_calls_from(counting, organization):
    key, other = (organization.key().headers["Authorization"] for _ in range(2))
    answers = [client(counting, Authorization=key).get("/api/leads", status=200) for _ in range(2)]
    assert [answer.headers["RateLimit-Policy"] for answer in answers] == ['"key";q=1200;w=60'] * 2
    assert [remaining(answer) for answer in answers] == [1199, 1198]
    assert remaining(client(counting, Authorization=other).get("/api/leads", status=200)) == 1199


def test_a_revoked_key_counts_to_itself_and_one_that_never_was_to_its_address(counting, organization):
    revoked = organization.key(revoked_at=datetime.now(UTC)).headers["Authorization"]
    address = next(ADDRESSES)
    for _ in range(limits.UNKNOWN_KEY.quota + 1):
        client(counting, address, Authorization=revoked).get("/api/leads", status=401)
    for _ in range(limits.UNKNOWN_KEY.quota):
        client(counting, address, Authorization="Bearer pl_" + "0" * 43).get("/api/leads", status=401)
    client(counting, address, Authorization="Bearer pl_" + "1" * 43).get("/api/leads", status=429)
    client(counting, Authorization=organization.key().headers["Authorization"]).get("/api/leads", status=200)
