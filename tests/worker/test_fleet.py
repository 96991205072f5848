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


class Running(Program):
    """A fleet of two processes."""

    def __init__(self, program):
        environ = {"PROGRAM": program, "PYTHONPATH": str(ROOT)}
        super().__init__([sys.executable, "-u", "-c", FLEET], env=environ, cwd=ROOT)

    def numbers(self, name):
        """The processes that have worked under this name, first the oldest."""
        return [int(line.split()[1]) for line in self.lines if line.startswith(f"{name} ")]

    def told(self):
        return [json.loads(line) for line in self.lines if line.startswith("{")]

    def wait_until(self, condition):
        wait_until(condition, lambda: "".join(self.lines))


@pytest.fixture
def run():
    with contextlib.ExitStack() as stack:

        def run(program):
            running = Running(program)
            stack.callback(running.close)
            return running

        yield run


@pytest.mark.long
def test_a_process_that_is_killed_is_started_again_and_none_outlives_a_fleet_that_is_killed(run):
    working = run(WORKING)
    working.wait_until(lambda: working.numbers("one") and working.numbers("two"))
    psutil.Process(working.numbers("one")[0]).kill()
    working.wait_until(lambda: len(working.numbers("one")) == 2)
    assert len(working.numbers("two")) == 1
    (told,) = [line for line in working.told() if "killed" in str(line)]
    assert (told["level"], told["queue"], told["signal"]) == ("error", "one", 9)
    numbers = working.numbers("one") + working.numbers("two")
    working.process.kill()
    working.wait_until(lambda: not any(psutil.pid_exists(number) for number in numbers))


def test_a_process_that_cannot_work_ends_all_with_its_code(run):
    failing = run(FAILING)
    assert failing.process.wait(SECONDS) == 3
    failing.wait_until(failing.told)
    assert [(line["queue"], line["code"]) for line in failing.told()] == [("one", 3)]
