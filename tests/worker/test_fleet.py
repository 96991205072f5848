"""`pipeline worker` runs a process for each queue, and ends with all of them."""

import contextlib
import json
import signal
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
RENEWING = """
import os, signal, sys, time
from pipeline.database.hangup import on_hangup
from pipeline.worker.fleet import end_with_parent
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
end_with_parent()
time.sleep(1)  # what has not said what is to be done is not ended by the signal either
on_hangup(lambda: print(f"renewed-{sys.argv[1]}", os.getpid(), flush=True))
print(sys.argv[1], os.getpid(), flush=True)
time.sleep(600)
"""
FAILING = "import sys, time; print('failing', flush=True); sys.exit(3) if sys.argv[1] == 'one' else time.sleep(600)"


class Running(Program):
    """A fleet of two processes."""

    def __init__(self, program):
        environ = {"PROGRAM": program, "PYTHONPATH": str(ROOT)}
        super().__init__([sys.executable, "-u", "-c", FLEET], env=environ, cwd=ROOT)

    def numbers(self, name):
        """The processes that have worked under this name, first the oldest."""
        return [int(line.split()[1]) for line in self.lines if line.startswith(f"{name} ")]

    def wait_until(self, condition):
        wait_until(condition, lambda: "".join(self.lines))


@pytest.fixture
def run():
    """run(program): a Running fleet."""
    with contextlib.ExitStack() as stack:

        def run(program):
            running = Running(program)
            stack.callback(running.close)
            return running

        yield run


@pytest.fixture
def working(run):
    """A fleet whose two processes work."""
    running = run(WORKING)
    running.wait_until(lambda: running.numbers("one") and running.numbers("two"))
    return running


@pytest.mark.long
def test_sighup_reaches_every_process_once_also_one_that_is_still_starting_and_sigterm_stops_all_gently(run):
    renewing = run(RENEWING)
    renewing.wait_until(lambda: psutil.Process(renewing.process.pid).children())
    for renewed in (1, 2):
        renewing.process.send_signal(signal.SIGHUP)
        renewing.wait_until(lambda renewed=renewed: len(renewing.numbers("renewed-one")) == renewed)
        renewing.wait_until(lambda renewed=renewed: len(renewing.numbers("renewed-two")) == renewed)
    assert len(renewing.numbers("one")) == len(renewing.numbers("two")) == 1
    renewing.process.send_signal(signal.SIGTERM)
    assert renewing.process.wait(SECONDS) == 0


@pytest.mark.long
def test_a_process_that_is_killed_is_started_again_and_none_outlives_a_fleet_that_is_killed(working):
    psutil.Process(working.numbers("one")[0]).kill()
    working.wait_until(lambda: len(working.numbers("one")) == 2)
    assert len(working.numbers("two")) == 1
    (told,) = [json.loads(line) for line in working.lines if "killed" in line]
    assert (told["level"], told["queue"], told["signal"]) == ("error", "one", 9)
    numbers = working.numbers("one") + working.numbers("two")
    working.process.kill()
    working.wait_until(lambda: not any(psutil.pid_exists(number) for number in numbers))


def test_a_process_that_cannot_work_ends_all_with_its_code(run):
    failing = run(FAILING)
    assert failing.process.wait(SECONDS) == 3
    failing.wait_until(lambda: any(line.startswith("{") for line in failing.lines))
    (told,) = [json.loads(line) for line in failing.lines if line.startswith("{")]
    assert (told["queue"], told["code"]) == ("one", 3)
