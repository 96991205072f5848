"""Keep a server running for as long as a process uses it, then stop it; run by `supervisor.py`.

    python -I -S keeper.py SPECIFICATION

The specification is a JSON object with `command`, the files `users`, `lock` and `log`, `stop` (pairs of a
signal's name and seconds), `retry` (a regular expression) and `remove` (folders that do not outlive the
server).

Goes to the background at once, as the only keeper of its folder: it holds the lock file `lock`, and exits
with 75 when another one does. Users hold `users` with a shared lock, which the kernel takes from them
however they end; the moment this process gets the exclusive lock nobody is left. It keeps that lock while
the server stops, so that a newcomer waits for the end and then starts afresh. A server that dies while in
use is started again; `retry` matches the log where the cause passes by itself. What both print goes to
stdout, which is the file `log`. A file of its own with the standard library alone: it starts in
milliseconds, and the calling process may have threads.
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
SETTLED_SECONDS = 10.0  # a server that ran for this long had a good start
TRIES = 4  # bad starts in a row before giving up
RETRY_SECONDS = 30.0  # how long a cause that passes by itself is waited for
BUSY = 75

stopping = False


def request_stop(_number, _frame) -> None:
    """On SIGTERM: stop the server although it is in use."""
    global stopping
    stopping = True


def take(file, kind: int) -> bool:
    """True when the lock `kind` on `file` was free and is now held."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def say(text: str) -> None:
    """Write a line into the log."""
    print(time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()), f"[keeper {os.getpid()}]", text, flush=True)


def stop(server: subprocess.Popen, steps: list) -> None:
    """Send each step's signal and give it its seconds until the server has ended."""
    for name, seconds in steps:
        server.send_signal(getattr(signal, f"SIG{name}"))
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(seconds)
            return
        say(f"still running {seconds} s after SIG{name}")


def watch(server: subprocess.Popen, users) -> bool:
    """Return True when the server is not needed any more, False when it ended by itself."""
    while not stopping and not take(users, fcntl.LOCK_EX):
        if server.poll() is not None:
            return False
        time.sleep(LOOK_SECONDS)
    return True


def keep(spec: dict, users) -> int:
    """Run the server until nobody needs it; the exit status is 1 when it does not start."""
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
    """What was written into the log after `position`."""
    with open(path, "rb") as log:
        log.seek(position)
        return log.read().decode(errors="replace")


def main() -> int:
    """Entry point; see the module's text for the argument."""
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
