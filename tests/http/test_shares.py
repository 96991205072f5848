"""An organization's share of the threads, by the time of its requests."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from pipeline.http.fairness.slots import Shares
from pipeline.validation.errors import Problem
from tests.http.counting import slow_strangers
from tests.http.processes import ask, web_process
from tests.waiting import Clock, wait_until


@pytest.fixture
def shares():
    return Shares(4, Clock())


def served(shares, organization_id, number, seconds):
    """Serve so many requests of an organization at once, each for so long; how many of them were let in."""
    entered = []
    with contextlib.suppress(Problem):
        entered.extend(shares.enter(organization_id) for _ in range(number))
    shares.clock.now += seconds
    for share in entered:
        shares.leave(organization_id, share)
    return len(entered)


def test_an_organization_whose_requests_are_quick_may_use_all_threads_but_one(shares):
    for _ in range(1000):
        assert served(shares, 1, 3, 0.04) == 3


def test_for_the_last_thread_a_request_waits_until_another_has_ended(shares):
    first, *others = [shares.enter(1) for _ in range(3)]
    with ThreadPoolExecutor(1) as thread:
        last = thread.submit(shares.enter, 1)
        shares.leave(1, first)
    assert shares.running[1] == [*others, last.result()]


def test_a_first_burst_leaves_a_thread_to_the_others(shares):
    assert served(shares, 1, 4, 0) == 3
    burst = [shares.enter(1) for _ in range(3)]
    shares.clock.now += 0.1
    with pytest.raises(Problem, match="busy"):
        shares.enter(1)
    assert (len(burst), bool(shares.enter(2))) == (3, True)


def test_slow_requests_that_still_run_count(shares):
    for _ in range(2):
        shares.enter(1)
    shares.clock.now += 2
    with pytest.raises(Problem, match="busy"):
        shares.enter(1)


def test_strangers_on_an_organizations_pages_have_a_share_of_their_own(shares):
    strangers = [shares.enter(-1) for _ in range(2)]
    shares.clock.now += 2
    with pytest.raises(Problem, match="busy"):
        shares.enter(-1)
    assert (len(strangers), bool(shares.enter(1))) == (2, True)
    with pytest.raises(Problem, match="busy"):
        shares.enter(1)


def test_strangers_leave_a_thread_to_the_people_of_their_organization(shares):
    for _ in range(2):
        shares.enter(-1)
    shares.clock.now += 0.1
    with pytest.raises(Problem, match="busy"):
        shares.enter(-1)
    assert shares.enter(1)


def test_people_wait_a_moment_for_a_place_that_slow_strangers_hold(shares):
    stranger, _other = shares.enter(-1), shares.enter(-1)
    shares.enter(1)
    shares.clock.now += 0.1
    leaving = threading.Timer(0.01, shares.leave, (-1, stranger))
    leaving.start()
    assert shares.enter(1)
    leaving.join()


def test_a_request_with_a_slot_counts_no_slowness(shares):
    for _ in range(2):
        shares.enter(1).counts = False
    shares.clock.now += 10
    assert shares.enter(1)


@pytest.mark.parametrize("seconds", [2.0, 0.2])
def test_an_organization_whose_requests_are_slow_has_half_of_the_threads(shares, seconds):
    for _ in range(15):
        served(shares, 1, 3, seconds)
    assert served(shares, 1, 3, 0) == 2
    assert served(shares, 2, 3, 0) == 3, "others are not concerned"
    shares.clock.now += 5
    assert served(shares, 1, 3, 0) == 3, "it was quick again"


def test_one_slow_request_now_and_then_is_borne(shares):
    for _ in range(10):
        served(shares, 1, 1, 1.0)
        shares.clock.now += 1
    assert served(shares, 1, 3, 0) == 3


@pytest.mark.parametrize(("method", "place", "body"), [("GET", "", None), ("POST", "/submit", {"answers": {}})])
def test_programs_on_a_public_form_count_to_the_share_of_strangers(wsgi, organization, anonymous, method, place, body):
    form = organization.public_form()
    with slow_strangers(wsgi.registry.shares, organization.id):
        refused = anonymous.request(method, f"/api/public/interview/capture/{form['public_slug']}{place}", body)
        organization.member.get("/api/leads", status=200)
    assert (refused.status_code, refused.json["code"]) == (429, "busy")


def test_strangers_on_a_form_do_not_keep_invited_people_away(wsgi, organization, anonymous):
    invite = organization.invite()
    with slow_strangers(wsgi.registry.shares, organization.id):
        anonymous.patch(f"/api/public/interview/{invite['token']}", {"answers": {}}, status=200)


@pytest.mark.long
def test_locked_records_of_one_organization_do_not_hold_the_threads_of_another(
    login_url, tmp_path, organization, new_organization, owner_url
):
    """Each of these requests waits for its lock as long as it may; without a bound they would take every thread."""
    admin, other = organization.admin, new_organization().member
    path = f"/api/leads/{admin.post('/api/leads', {'first_name': 'Pat'}, status=201).json['id']}"
    seen, stop = set(), threading.Event()
    with (
        psycopg.connect(owner_url) as holder,
        web_process(login_url, tmp_path / "log", "alone") as (_, port),
        ThreadPoolExecutor(12) as threads,
    ):

        def attack():
            while not stop.wait(0.05):
                seen.add(ask(port, "PUT", path, {"first_name": "Kim"}, **admin.headers)[0])

        holder.execute("select from app.leads where organization_id = %s for update", [organization.id])
        attacks = [threads.submit(attack) for _ in range(12)]
        try:
            wait_until(lambda: seen >= {429, 503})  # the first of them have run into the lock
            answers = {ask(port, "GET", "/api/leads", **other.headers)[0] for _ in range(10)}
        finally:
            stop.set()
        for each in attacks:
            each.result()
        holder.rollback()
    assert answers == {200}
    assert seen == {429, 503}
