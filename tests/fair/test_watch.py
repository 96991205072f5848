"""A service that stands still is seen by whatever was due meanwhile, not only by the one request that it keeps."""

import http.server
import threading
import time

import pytest

from tests.fair.watch import NEVER, Watch
from tests.waiting import SECONDS, wait_until

STILL, WELL = 3, 1


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers everything, while the server's `open` is set."""

    def answer(self):
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.server.open.wait()
        self.send_response(201 if self.command == "POST" else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PATCH = do_POST = answer

    def log_message(self, *_arguments):
        """Say nothing."""


@pytest.fixture
def service():
    """A server that answers at once."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.open = threading.Event()
        server.open.set()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.open.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def watch(service):
    """A bystander of that server, whose emails never arrive."""
    spec = {"port": service.server_port, "tokens": ["a", "b"], "invites": ["c"], "template_id": 1}
    with Watch(spec, well=WELL) as watch:
        watch.settle(time.monotonic(), 0.5, SECONDS)
        yield watch


def stand_still(service):
    """When a standstill of the service began and when it ended."""
    begin = time.monotonic()
    service.open.clear()
    time.sleep(STILL)
    service.open.set()
    return begin, time.monotonic()


def test_every_request_that_was_due_while_the_service_stood_still_counts(service, watch):
    begin, end = stand_still(service)
    assert watch.settle(end, 0.5, SECONDS) < NEVER
    seen = watch.figures(begin, end)
    assert seen.errors == 0
    assert seen.p99 > STILL - 0.5
    assert seen.p50 > STILL / 4


def test_it_is_well_again_when_the_last_of_them_has_its_answer(service, watch):
    begin, _ = stand_still(service)
    watch.settle(begin + STILL, 0.5, SECONDS)
    assert watch.well_since(begin) > STILL - WELL


def test_what_is_still_under_way_at_the_end_of_the_time_is_waited_for(service, watch):
    begin = time.monotonic()
    service.open.clear()
    wait_until(lambda: watch.between(begin))
    time.sleep(1)
    threading.Timer(0.5, service.open.set).start()
    seen = watch.figures(begin, time.monotonic())
    assert seen.errors == 0
    assert seen.p99 > 1


def test_what_is_never_answered_failed(service, watch):
    begin = time.monotonic()
    service.open.clear()
    wait_until(lambda: "leads" in {sample.kind for sample in watch.between(begin).values()})
    # A time that is long over, and so are those who waited.
    for sample in watch.between(begin).values():
        sample.due -= 60
    seen = watch.figures(begin - 60, begin - 58)
    assert seen.errors == seen.count > 0
    assert seen.reasons["leads: no answer"] > 0


def test_an_email_that_does_not_arrive_is_missed(watch):
    begin = time.monotonic() - 30
    wait_until(lambda: "invite" in {sample.kind for sample in watch.between(begin).values()})
    assert watch.longest({}, begin, time.monotonic(), patience=0) == NEVER
