"""Keeps a server running while processes use it, then stops it; started by `supervisor.py`.

    python -I -S keeper.py SPECIFICATION

The specification is a JSON object with `command`, the files `users` and `lock`, `stop` (pairs of a signal's name and
seconds) and `remove` (the folders to remove at the end).

It runs in the background, once for each folder: it holds the file lock `lock`, and exits with 75 if another keeper
does. Each user holds a shared lock on `users`, which the kernel releases at its end. When the keeper gets the exclusive
lock, no user is left. It holds that lock until the server has stopped, so a new user waits and then starts the server
again.

Output of both goes to stdout, the server's log.

This file uses the standard library alone, so that it starts in milliseconds; the calling process may have threads.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time

LOOK_SECONDS = 0.1
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
    """Write a line to the log, unless the disk is full."""
    moment = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    with contextlib.suppress(OSError):
        os.write(1, f"{moment} [keeper {os.getpid()}] {text}\n".encode())


def stop(server: subprocess.Popen, steps: list) -> None:
    """Send the signals of `stop` in turn, each with its seconds, until the server has ended."""
    for name, seconds in steps:
        server.send_signal(getattr(signal, f"SIG{name}"))
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(seconds)
            return
        say(f"still running {seconds} s after SIG{name}")


def watch(users, ended) -> bool:
    """Return True when no process uses the server, False when `ended()` comes first."""
    while not stopping and not take(users, fcntl.LOCK_EX):
        if ended():
            return False
        time.sleep(LOOK_SECONDS)
    return True


def keep(spec: dict, users) -> int:
    """Run the server while it is used; the exit status is 1 if it ends by itself."""
    server = subprocess.Popen(spec["command"])
    if watch(users, lambda: server.poll() is not None):
        stop(server, spec["stop"])
        return 0
    say(f"the server ended by itself with status {server.returncode}")
    return 1


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
