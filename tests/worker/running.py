"""A worker as a separate process, started like the command line does."""

import json
import sys
from pathlib import Path

from tests.waiting import Program

ROOT = Path(__file__).resolve().parents[2]


class Worker(Program):
    """A worker process."""

    def __init__(self, environ, queue):
        super().__init__([sys.executable, "-m", "tests.worker.handlers", queue], cwd=ROOT, env=environ)

    def logged(self, event):
        """The log lines of one kind."""
        found = [json.loads(line) for line in self.lines if line.startswith("{")]
        return [line for line in found if line["event"] == event]


def delivered(events, count):
    """Whether this many effects are there and no event is open."""
    return lambda: events.effects() == count and events.open() == 0
