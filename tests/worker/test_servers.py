"""Each server with organizations has its thread, from its first organization on."""

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from pipeline.worker import servers
from pipeline.worker.servers import ServerThreads
from tests.waiting import wait_until


@pytest.fixture
def working(monkeypatch):
    """working(found): ServerThreads of the servers that `found()` tells, and the set of those at work."""
    monkeypatch.setattr(servers, "LOOK_SECONDS", 0.01)
    begun = []

    def begin(found):
        at_work = set()

        def make(server):
            return SimpleNamespace(start=lambda: at_work.add(server), stop=lambda: at_work.discard(server))

        begun.append(ServerThreads(found, make))
        begun[-1].start()
        return begun[-1], at_work

    yield begin
    for threads in begun:
        threads.stop()


def test_servers_that_come_and_go_have_their_thread_meanwhile_and_in_the_end_none_has(working):
    found = ["first", "second"]
    threads, at_work = working(lambda: found)
    wait_until(lambda: at_work == {"first", "second"})
    found[:] = ["second", "third"]
    wait_until(lambda: at_work == {"second", "third"})
    threads.stop()
    assert at_work == set()


def test_servers_that_cannot_be_told_are_asked_for_again(working):
    answers = iter([OSError("away")])

    def found():
        if error := next(answers, None):
            raise error
        return ["first"]

    with capture_logs() as lines:
        _, at_work = working(found)
        wait_until(lambda: at_work == {"first"})
    assert [line["event"] for line in lines] == ["the servers are not known"]
