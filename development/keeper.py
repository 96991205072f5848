"""Keeps a server running while processes use it, then stops it; started by `supervisor.py`.

    python -I -S keeper.py SPECIFICATION

The specification is a JSON object with `command`, the files `users`, `lock` and `log`, `stop` (pairs of a signal's name
and seconds), `retry` (a regular expression) and `remove` (folders to remove at the end).

It runs in the background, once for each folder: it holds the file lock `lock`, and exits with 75 if another keeper
does. Each user holds a shared lock on `users`, which the kernel releases at its end. When the keeper gets the exclusive
lock, no user is left. It holds that lock until the server has stopped, so a new user waits and then starts the server
again.

The keeper restarts a server that dies while in use. `retry` matches log lines of temporary failures. Output of both
goes to stdout, the file `log`. This file uses the standard library alone, so that it starts in milliseconds; the
calling process may have threads.
"""

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

LOOK_SECONDS = 0.1
SETTLED_SECONDS = 10.0  # a start succeeded if the server ran for so long
TRIES = 4  # bad starts in a row before giving up
RETRY_SECONDS = 30.0  # how long to retry after a temporary failure
BUSY = 75

stopping = False


def request_stop(_number, _frame) -> None:
    """On SIGTERM: stop the server even if it is in use."""
    global stopping
    stopping = True


def take(file, kind: int) -> bool:
    """Lock `file` without waiting; True on success."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def say(text: str) -> None:
    """Write a line to the log."""
    print(time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()), f"[keeper {os.getpid()}]", text, flush=True)


def stop(server: subprocess.Popen, steps: list) -> None:
    """Send the signals of `stop` in turn, each with its seconds, until the server has ended."""
    for name, seconds in steps:
        server.send_signal(getattr(signal, f"SIG{name}"))
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(seconds)
            return
        say(f"still running {seconds} s after SIG{name}")


def watch(server: subprocess.Popen, users) -> bool:
    """Return True when no process uses the server, False when it ended by itself."""
    while not stopping and not take(users, fcntl.LOCK_EX):
        if server.poll() is not None:
            return False
        time.sleep(LOOK_SECONDS)
    return True


def keep(spec: dict, users) -> int:
    """Run the server while it is used; the exit status is 1 if it does not start."""
    failures, first_failure = 0, 0.0
    while True:
        started = time.monotonic()
        log_start = os.fstat(1).st_size
        server = subprocess.Popen(spec["command"])
        if watch(server, users):
            stop(server, spec["stop"])
            return 0
        say(f"the server ended by itself with status {server.returncode}")
        now = time.monotonic()
        if now - started > SETTLED_SECONDS:
            failures = 0
        first_failure = first_failure if failures else now
        failures += 1
        passing = re.search(spec["retry"], log_since(spec["log"], log_start))
        if failures >= TRIES and not (passing and now - first_failure < RETRY_SECONDS):
            return 1
        time.sleep(0.5)


def log_since(path: str, position: int) -> str:
    """The log's text after `position`."""
    with open(path, "rb") as log:
        log.seek(position)
        return log.read().decode(errors="replace")


def main() -> int:
    """The entry point; see the module's docstring for the argument."""
    spec = json.loads(sys.argv[1])
    with open(spec["lock"], "a") as lock, open(spec["users"], "a") as users:
        if not take(lock, fcntl.LOCK_EX):
            return BUSY
        if os.fork():
            os._exit(0)
        os.setsid()
        signal.signal(signal.SIGTERM, request_stop)
        try:
            return keep(spec, users)
        finally:
            for folder in spec["remove"]:
                shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
