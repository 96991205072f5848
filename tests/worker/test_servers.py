from types import SimpleNamespace

from pipeline.worker import servers
from pipeline.worker.servers import ServerThreads
from tests.waiting import wait_until


def test_each_server_has_its_thread_while_it_is_there_and_servers_that_cannot_be_told_are_asked_for_again(monkeypatch):
    monkeypatch.setattr(servers, "LOOK_SECONDS", 0.01)
    found, failures, at_work = ["first", "second"], [OSError("away")], set()

    def tell():
        if failures:
            raise failures.pop()
        return found

    def make(server):
        return SimpleNamespace(start=lambda: at_work.add(server), stop=lambda: at_work.discard(server))

    threads = ServerThreads(tell, make)
    threads.start()
    try:
        wait_until(lambda: at_work == {"first", "second"})
        found[:] = ["second", "third"]
        wait_until(lambda: at_work == {"second", "third"})
    finally:
        threads.stop()
    assert at_work == set()
