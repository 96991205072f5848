"""Heavy work needs slots: one organization's imports, searches or documents leave threads for others."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.database import Database, queries
from pipeline.http.fairness.slots import CONVERSION, DOCUMENT, EXPORT, IMPORT, SEARCH, UPLOAD, Slots
from pipeline.validation.errors import Problem
from tests.contracts.support import image_file, upload
from tests.http.target import assert_problem
from tests.leads.csv_files import send
from tests.support import codes

HEAVY = {
    IMPORT: lambda admin: send(admin, "first_name\nPat\n"),
    EXPORT: lambda admin: admin.get("/api/leads/export"),
    UPLOAD: lambda admin: upload(admin, "/api/organization/logo", image_file("PNG"), "a.png", "logo"),
}
SEARCHED = "leads contracts companies contacts deals quotes configurator-definitions users teams"


@pytest.fixture
def slots(wsgi):
    return wsgi.registry.slots


def taken(wsgi):
    """How often a connection was taken from the pool."""
    return wsgi.registry.app.pool.get_stats().get("requests_num", 0)


@pytest.mark.parametrize("kind", HEAVY)
def test_beside_other_work_of_its_kind_heavy_work_is_refused_before_it_takes_a_connection(
    wsgi, slots, organization, admin, kind
):
    admin.get("/api/leads", status=200)  # logs in first
    with slots.slot(kind, organization.id):
        before = taken(wsgi)
        refused = HEAVY[kind](admin)
        assert_problem(refused, 429, "busy")
        assert int(refused.headers["Retry-After"]) > 0
        assert taken(wsgi) == before
        admin.get("/api/leads", status=200)
    assert HEAVY[kind](admin).status_int in (200, 201)


def test_other_organizations_and_other_kinds_of_work_go_on(slots, organization, new_organization, admin):
    with slots.slot(EXPORT, organization.id):
        assert HEAVY[EXPORT](new_organization().admin).status_int == 200
        assert HEAVY[IMPORT](admin).status_int == 200


@pytest.mark.parametrize("path", SEARCHED.split())
def test_a_search_takes_a_slot_and_a_list_without_one_does_not(slots, organization, admin, path):
    with contextlib.ExitStack() as busy:
        for _ in range(slots.each):
            busy.enter_context(slots.slot(SEARCH, organization.id))
        assert_problem(admin.get(f"/api/{path}?search=pat"), 429, "busy")
        admin.get(f"/api/{path}", status=200)
    admin.get(f"/api/{path}?search=pat", status=200)


@pytest.mark.parametrize("path", [*SEARCHED.split(), "leads/export"])
def test_a_search_takes_ten_different_words(admin, path):
    words = "+".join(f"word{number}" for number in range(10))
    admin.get(f"/api/{path}?search={words}+WORD1+word1+word9", status=200)
    answer = admin.get(f"/api/{path}?search={words}+another", status=422)
    assert codes(answer) == [("search", "too_many_words")]


def test_work_that_fails_or_crashes_gives_its_slot_back(monkeypatch, slots, admin):
    for _ in range(2 * slots.at_once):
        assert send(admin, "no header\nof leads\n").status_int == 422
    monkeypatch.setattr(type(queries), "__getattr__", lambda *_: pytest.fail("a crash"))
    for _ in range(2 * slots.at_once):
        with contextlib.suppress(BaseException):
            admin.get("/api/leads?search=pat")
    assert slots.taken.total() == 0


def free(slots, kind, organization_id):
    try:
        with slots.slot(kind, organization_id):
            return True
    except Problem:
        return False


def test_a_conversion_takes_no_slot_of_other_documents():
    slots = Slots(at_once=4, documents=1)
    with slots.slot(CONVERSION, 1):
        assert not free(slots, CONVERSION, 2)
        with slots.slot(DOCUMENT, 1):
            assert not free(slots, DOCUMENT, 2)


def test_an_organization_gets_half_of_the_slots_and_the_others_the_rest():
    slots = Slots(at_once=3, documents=2)
    with slots.slot(SEARCH, 1), slots.slot(SEARCH, 1):
        assert not free(slots, SEARCH, 1)
        assert not free(slots, EXPORT, 1)
        with slots.slot(SEARCH, 2):
            assert not free(slots, SEARCH, 3)
    assert free(slots, SEARCH, 1)


def test_no_more_documents_are_let_through_than_are_rendered_at_once():
    slots = Slots(at_once=7, documents=1)
    with slots.slot(DOCUMENT, 1):
        assert not free(slots, DOCUMENT, 2)
        assert free(slots, EXPORT, 2)


def test_slots_that_many_threads_want_are_given_to_as_many_as_there_are():
    slots, given, asked = Slots(at_once=3, documents=2), [], threading.Barrier(20)

    def work(organization_id):
        with contextlib.ExitStack() as held:
            with contextlib.suppress(Problem):
                held.enter_context(slots.slot(SEARCH, organization_id))
                given.append(organization_id)
            asked.wait()

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(work, range(20)))
    assert len(given) == 3
    assert slots.taken.total() == 0


@pytest.mark.parametrize("login", ["app", "forms"])
def test_a_statement_of_a_request_and_its_waits_are_short(login_url, login):
    with (
        contextlib.closing(Database(login_url(f"pipeline_{login}"), 1)) as database,
        database.transaction() as connection,
    ):
        shown = connection.execute("select current_setting('statement_timeout') s, current_setting('lock_timeout') l")
        assert shown.fetchone() == {"s": "5s", "l": "2s"}


def test_an_import_and_an_export_may_take_a_minute(monkeypatch, admin):
    patience = []
    transfer = queries.transfer_patience

    def noted(**parameters):
        patience.append(transfer(**parameters)["statement_timeout"])

    monkeypatch.setattr(queries, "transfer_patience", noted, raising=False)
    HEAVY[IMPORT](admin)
    HEAVY[EXPORT](admin)
    assert patience == ["1min", "1min"]


@pytest.mark.parametrize(("view", "words"), [("slow_query", "took too long"), ("waiting_query", "Another request")])
def test_a_statement_that_takes_too_long_is_told_apart_from_one_that_waits(view, words, failing_app, superuser):
    with superuser.transaction():
        superuser.execute("select pg_advisory_xact_lock(4711)")
        response = failing_app.get(f"/failing/{view}")
    assert_problem(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) > 0
    assert words in response.json["detail"]
