"""The threads of a web process stay on one core; work without the interpreter's lock uses all cores."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.accounts import passwords
from pipeline.process import cores

ALL = sorted(os.sched_getaffinity(0))

pytestmark = pytest.mark.skipif(len(ALL) < 2, reason="needs two processors")


def test_a_password_is_checked_on_any_core_and_the_thread_returns_to_its_own():
    def allowed():
        with passwords.hash_slot():
            inside = os.sched_getaffinity(0)
        return sorted(inside), sorted(os.sched_getaffinity(0))

    with ThreadPoolExecutor(1, initializer=cores.bind_thread, initargs=[ALL[0]]) as thread:
        assert thread.submit(allowed).result() == (ALL, [ALL[0]])
