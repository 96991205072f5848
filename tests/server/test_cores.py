"""The threads of a web process stay on one core; work without the interpreter's lock uses all cores."""

import os
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from pipeline.accounts import passwords
from pipeline.documents.client import Limits, Renderer
from pipeline.documents.document import pack
from pipeline.files import inspection
from pipeline.http.quotas import cores
from tests.documents.support import document
from tests.waiting import wait_until

ALL = sorted(os.sched_getaffinity(0))

pytestmark = pytest.mark.skipif(len(ALL) < 2, reason="needs two processors")


@pytest.fixture
def bound():
    """bound(function): what it returns in a thread that stays on the first core."""

    def call(function):
        with ThreadPoolExecutor(1, initializer=cores.bind_thread, initargs=[ALL[0]]) as thread:
            return thread.submit(function).result()

    return call


def cores_of(thread):
    """The processors that a thread, or the main thread of a process, may use."""
    return psutil.Process(thread).cpu_affinity()


@pytest.mark.long
def test_the_threads_that_serve_stay_on_one_core_and_the_main_thread_keeps_all(new_server):
    with new_server() as server:
        process = server.web_process()

        def bound_threads():
            return [allowed for thread in process.threads() if (allowed := cores_of(thread.id)) != ALL]

        wait_until(lambda: len(bound_threads()) >= 4)  # it serves as soon as one has started
        found = bound_threads()
        assert found == [found[0][:1]] * len(found)
        assert cores_of(process.pid) == ALL


def test_a_core_that_is_gone_leaves_the_thread_where_it_may_run(bound):
    assert bound(lambda: cores.bind_thread(4095) or sorted(os.sched_getaffinity(0))) == [ALL[0]]


def test_a_password_is_checked_on_any_core_and_the_thread_returns_to_its_own(bound):
    def allowed():
        with passwords.hash_slot():
            inside = os.sched_getaffinity(0)
        return sorted(inside), sorted(os.sched_getaffinity(0))

    assert bound(allowed) == (ALL, [ALL[0]])


def test_uploads_are_looked_into_on_any_core(bound, monkeypatch, tmp_path):
    found = []
    run = inspection.subprocess.run
    monkeypatch.setattr(
        inspection.subprocess, "run", lambda *a, **b: found.append(os.sched_getaffinity(0)) or run(*a, **b)
    )
    (tmp_path / "empty.pdf").touch()
    with (tmp_path / "empty.pdf").open("rb") as file:
        assert bound(lambda: inspection.obstacle("pdf", file)) is None
    assert [sorted(cores) for cores in found] == [ALL]


@pytest.mark.long
def test_documents_are_rendered_on_any_core(bound):
    renderer = bound(lambda: Renderer(Limits()))
    try:
        renderer.ask(pack("pdf", document("<p>x</p>")), "en", False)
        assert cores_of(renderer.process.pid) == ALL
    finally:
        renderer.stop()
