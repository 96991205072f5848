"""Renderers that are killed, hang or cannot start: the service continues."""

import contextlib
import os
import signal
import threading

import pytest

from pipeline import documents
from pipeline.documents import TooComplex, Unavailable, client, pool
from tests.documents.rendering import LARGE, SMALL, children_of, raising, still_answers
from tests.waiting import SECONDS, wait_until


def test_when_no_process_is_to_be_had_documents_are_unavailable(limits, monkeypatch):
    limits()
    pool.stop()
    monkeypatch.setattr(client.subprocess, "Popen", raising(BlockingIOError("no more processes")))
    with pytest.raises(Unavailable):
        documents.render("pdf", SMALL)


def test_who_waits_too_long_for_a_turn_is_told(limits):
    limits(processes=1, queue_seconds=0)
    with pool._pool.turns, pytest.raises(Unavailable, match="Too many"):
        documents.render("pdf", SMALL)


def killing(victims):
    """Start a thread that kills processes named by victims(renderer pid), until it is told to stop."""
    stop = threading.Event()

    def work():
        while not stop.wait(0.02):
            renderer = pool._pool.renderer
            for pid in victims(renderer.process.pid) if renderer else ():
                with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                    os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=work)
    thread.start()
    return stop, thread


def test_a_killed_renderer_is_replaced_and_the_next_one_ends_with_its_service(limits):
    limits()
    assert still_answers()
    os.kill(pool._pool.renderer.process.pid, signal.SIGKILL)
    assert still_answers()
    renderer = pool._pool.renderer
    renderer.control.close()
    assert renderer.process.wait(SECONDS) == 0


@pytest.mark.long
def test_a_render_that_is_killed_each_time_is_unavailable_and_no_hang(limits):
    limits()
    assert still_answers()
    stop, thread = killing(children_of)
    try:
        with pytest.raises(Unavailable):
            documents.render("pdf", LARGE)
    finally:
        stop.set()
        thread.join()
    assert still_answers()


@pytest.mark.long
def test_a_render_dies_with_its_renderer(limits):
    limits(seconds=3)
    assert still_answers()
    renderer = pool._pool.renderer.process.pid
    failures = TooComplex, Unavailable
    worker = threading.Thread(target=lambda: pytest.raises(failures, documents.render, "pdf", LARGE))
    worker.start()
    busy = wait_until(lambda: children_of(renderer))
    os.kill(renderer, signal.SIGKILL)
    wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in busy))
    worker.join()


@pytest.mark.long
def test_a_forked_process_has_a_renderer_of_its_own(limits):
    limits()
    assert still_answers()
    own = pool._pool.renderer.process.pid
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            good = pool._pool.renderer is None and still_answers() and pool._pool.renderer.process.pid != own
            documents.pool.stop()
            status = 0 if good else 1
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert pool._pool.renderer.alive()
    assert still_answers()
