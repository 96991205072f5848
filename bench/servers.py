"""The web processes: the server of production, one process of eight threads, each bound to one core."""

import contextlib
import functools
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from bench.site import SITE
from development.account import ending_with_parent
from development.ports import free_port

THREADS = 8
START_SECONDS = 120
ROOT = Path(__file__).resolve().parents[1]


def cores():
    """(the core of the web process, all other cores), or (None, None) if processes cannot be bound."""
    available = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return ({available[0]}, set(available[1:])) if len(available) > 1 else (None, None)


def _settle(core):
    """In the new process: stay on the core."""
    if core:
        os.sched_setaffinity(0, core)


class Web:
    """A running web server: `command` listens on `port`, bound to `core` if given."""

    def __init__(self, target, port, command, environ, core, log):
        self.target, self.port, self.log = target, port, log
        self.process = subprocess.Popen(
            ending_with_parent(command),
            cwd=ROOT,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            env=environ,
            preexec_fn=functools.partial(_settle, core),
        )

    def wait(self):
        """Wait until it listens; raises RuntimeError."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"The web process {self.target} did not start: {Path(self.log.name).read_text()[-2000:]}")

    def cpu(self):
        """Its CPU seconds."""
        return cpu_seconds(self.process.pid)

    def stop(self):
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(target, site_file, core, log):
    """The Web of one of the targets."""
    port = free_port()
    command = [sys.executable, "-m", "bench.served", str(port), str(THREADS)]
    environ = os.environ | {SITE: str(site_file), "BENCH_TARGET": target}
    return Web(target, port, command, environ, core, log)


@contextlib.contextmanager
def serving(targets, site_file, core):
    """The started web processes of the targets by name; only the measured one has work."""
    with contextlib.ExitStack() as stack:
        webs = {}
        for target in targets:
            log = stack.enter_context(open(site_file.with_name(f"{target}.log"), "w"))
            webs[target] = start(target, site_file, core, log)
            stack.callback(webs[target].stop)
        for web in webs.values():
            web.wait()
        yield webs


class Foreign:
    """The machine's use by other processes, to recognize disturbed figures."""

    def __init__(self, webs, postgres):
        self.webs, self.postgres = webs, postgres
        self.started, self.before = time.monotonic(), self._used()

    def share(self):
        """The share (0 to 1) of all cores' time that other processes used since the start."""
        return max(0.0, self._used() - self.before) / (time.monotonic() - self.started) / os.cpu_count()

    def _used(self):
        machine = psutil.cpu_times()
        mine = sum(os.times()[:4])  # with the load generators, which have ended
        mine += sum(web.cpu() for web in self.webs.values()) + cpu_seconds(self.postgres)
        return machine.user + machine.system + getattr(machine, "nice", 0.0) - mine


def cpu_seconds(number):
    """CPU seconds of a process and its living descendants."""
    total = 0.0
    root = psutil.Process(number)
    for process in [root, *root.children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total
