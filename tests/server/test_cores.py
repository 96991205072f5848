"""The threads of a web process stay on one core; work without the interpreter's lock uses all cores."""

import os
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from pipeline.accounts import passwords
from pipeline.http.quotas import cores
from tests.waiting import wait_until

ALL = sorted(os.sched_getaffinity(0))

pytestmark = pytest.mark.skipif(len(ALL) < 2, reason="needs two processors")


@pytest.mark.long
def test_the_threads_that_serve_stay_on_one_core_and_the_main_thread_keeps_all(new_server):
    with new_server() as server:
        process = server.web_process()

        def bound_threads():
            return [
                allowed for thread in process.threads() if (allowed := psutil.Process(thread.id).cpu_affinity()) != ALL
            ]

        wait_until(lambda: len(bound_threads()) >= 4)  # it serves as soon as one has started
        found = bound_threads()
        assert found == [found[0][:1]] * len(found)
        assert process.cpu_affinity() == ALL


def test_a_password_is_checked_on_any_core_and_the_thread_returns_to_its_own():
    def allowed():
        with passwords.hash_slot():
            inside = os.sched_getaffinity(0)
        return sorted(inside), sorted(os.sched_getaffinity(0))

    with ThreadPoolExecutor(1, initializer=cores.bind_thread, initargs=[ALL[0]]) as thread:
        assert thread.submit(allowed).result() == (ALL, [ALL[0]])
