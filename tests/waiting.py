"""Waiting for a condition in tests, with a deadline that only a failure reaches."""

import contextlib
import signal
import socket
import subprocess
import threading
import time

# Of a machine that is busy with other tests at the same time; who waits in vain waits this long once.
SECONDS = 100


def wait_until(condition, explain=lambda: "It does not come true."):
    """The first true result of `condition()`; fails with `explain()` at the deadline."""
    end = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < end, explain()
        time.sleep(0.02)
    return found


def is_listening(port):
    """Whether somebody listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def without_timeouts(url):
    """A database URL without timeouts of statements and locks."""
    return f"{url}&options=-c%20lock_timeout%3D0%20-c%20statement_timeout%3D0"


@contextlib.contextmanager
def started(command, **options):
    """A process (subprocess.Popen with these options), killed at the end of the block if it still runs."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


class Program:
    """A process that goes on; `lines` is what it has printed so far, to standard output and standard error."""

    def __init__(self, command, **options):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process, self.lines = subprocess.Popen(command, **options), []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def wait_for(self, words):
        """Return when it has printed this; fails when it ends without."""

        def has_printed():
            ended = self.process.poll() is not None
            printed = any(words in line for line in self.lines)
            assert printed or not ended or self._reader.is_alive(), "".join(self.lines)
            return printed

        wait_until(has_printed, lambda: "".join(self.lines))

    def end(self, number):
        """Send a signal; the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        self.process.stdout.close()
        return code

    def close(self):
        """Kill it if it still runs."""
        self.end(signal.SIGKILL)


def wait_for_writers(owner):
    """Wait until every writing transaction of the server up to now has ended, those of other tests too.

    The change feed shows no change after the oldest of them.
    """
    (latest,) = owner.execute("select cast(pg_current_xact_id() as text)::bigint").fetchone()
    ended = "select cast(pg_snapshot_xmin(pg_current_snapshot()) as text)::bigint > %s"
    wait_until(lambda: owner.execute(ended, [latest]).fetchone()[0], lambda: "Somebody writes on.")


class Clock:
    """A clock that changes only when a test sets it."""

    now = 0.0

    def __call__(self):
        return self.now
