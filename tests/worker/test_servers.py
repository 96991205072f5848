"""Each server with organizations has its thread, from its first organization on."""

import threading

import pytest
from structlog.testing import capture_logs

from pipeline.worker import servers
from pipeline.worker.servers import ServerThreads
from tests.waiting import wait_until


class Work(threading.Thread):
    """Works for a server until it is told to stop."""

    def __init__(self, server):
        super().__init__()
        self.server, self.stopping = server, threading.Event()

    def run(self):
        self.stopping.wait()

    def stop(self):
        self.stopping.set()
        self.join()


@pytest.fixture
def working(monkeypatch):
    """working(servers): OnServers that looks often, and the Work that it has made."""
    monkeypatch.setattr(servers, "LOOK_SECONDS", 0.01)
    begun, made = [], []

    def make(server):
        made.append(Work(server))
        return made[-1]

    def begin(found):
        begun.append(ServerThreads(found, make))
        begun[-1].start()
        return begun[-1], made

    yield begin
    for on_servers in begun:
        on_servers.stop()


def at_work(made):
    return {work.server for work in made if work.is_alive()}


def test_a_server_that_gets_its_first_organization_later_has_its_thread_and_one_that_has_none_left_loses_it(working):
    found = ["first", "second"]
    _, made = working(lambda: found)
    wait_until(lambda: at_work(made) == {"first", "second"})
    found[:] = ["second", "third"]
    wait_until(lambda: at_work(made) == {"second", "third"})
    assert [work.server for work in made].count("second") == 1


def test_servers_that_cannot_be_told_are_asked_for_again(working):
    answers = iter([OSError("away")])

    def found():
        if error := next(answers, None):
            raise error
        return ["first"]

    with capture_logs() as lines:
        _, made = working(found)
        wait_until(lambda: at_work(made) == {"first"})
    assert [line["event"] for line in lines] == ["the servers are not known"]


def test_all_threads_end_together(working):
    on_servers, made = working(lambda: ["first", "second"])
    wait_until(lambda: len(at_work(made)) == 2)
    on_servers.stop()
    assert at_work(made) == set()
