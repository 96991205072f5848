"""A worker as a process of its own, as the command line starts it."""

import json
import subprocess
import sys
import threading
from pathlib import Path

from tests.waiting import SECONDS, wait_until

ROOT = Path(__file__).resolve().parents[2]


class Worker:
    """A worker process; `lines` is what it has printed so far."""

    def __init__(self, environ, queue):
        command = [sys.executable, "-m", "tests.worker.handlers", queue]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environ, **options)
        self.lines = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def wait_for(self, text):
        """Return when it has printed this."""
        wait_until(lambda: any(text in line for line in self.lines), lambda: "".join(self.lines))

    def end(self, number):
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def close(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()

    def logged(self, event):
        """The log lines of one kind."""
        found = [json.loads(line) for line in self.lines if line.startswith("{")]
        return [line for line in found if line["event"] == event]


def delivered(events, count):
    """Whether this many effects are there and no event is open."""
    return lambda: events.effects() == count and events.open() == 0
