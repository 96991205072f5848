"""`pipeline worker` runs a process for each queue, and ends with all of them."""

import contextlib
import json
import sys
from pathlib import Path

import psutil
import pytest

from tests.waiting import SECONDS, Program, wait_until

ROOT = Path(__file__).resolve().parents[2]
FLEET = """
import os, sys
from pipeline.cli import logs
from pipeline.worker.fleet import Fleet
logs.configure(development=False)
program = [sys.executable, "-c", os.environ["PROGRAM"]]
sys.exit(Fleet({name: [*program, name] for name in ("one", "two")}, dict(os.environ)).run())
"""
WORKING = """
import os, signal, sys, time
from pipeline.worker.fleet import end_with_parent
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
end_with_parent()
print(sys.argv[1], os.getpid(), flush=True)
time.sleep(600)
"""
FAILING = "import sys, time; print('failing', flush=True); sys.exit(3) if sys.argv[1] == 'one' else time.sleep(600)"


def fleet(program):
    """A context with the Program of a fleet of two processes."""
    environ = {"PROGRAM": program, "PYTHONPATH": str(ROOT)}
    return contextlib.closing(Program([sys.executable, "-u", "-c", FLEET], env=environ, cwd=ROOT))


def numbers(running, name):
    """The processes that have worked under this name, first the oldest."""
    return [int(line.split()[1]) for line in running.lines if line.startswith(f"{name} ")]


def told(running):
    return [json.loads(line) for line in running.lines if line.startswith("{")]


@pytest.mark.long
def test_a_process_that_is_killed_is_started_again_and_none_outlives_a_fleet_that_is_killed():
    with fleet(WORKING) as running:
        wait_until(lambda: numbers(running, "one") and numbers(running, "two"))
        psutil.Process(numbers(running, "one")[0]).kill()
        wait_until(lambda: len(numbers(running, "one")) == 2)
        assert len(numbers(running, "two")) == 1
        (line,) = [line for line in told(running) if "killed" in str(line)]
        assert (line["level"], line["queue"], line["signal"]) == ("error", "one", 9)
        all_of_them = numbers(running, "one") + numbers(running, "two")
        running.process.kill()
        wait_until(lambda: not any(psutil.pid_exists(number) for number in all_of_them))


def test_a_process_that_cannot_work_ends_all_with_its_code():
    with fleet(FAILING) as running:
        assert running.process.wait(SECONDS) == 3
        wait_until(lambda: told(running))
        assert [(line["queue"], line["code"]) for line in told(running)] == [("one", 3)]
