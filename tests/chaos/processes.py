"""The service's processes, as an operator runs them, to be killed and started again."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil

from development import launch
from development.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120


def wait_until(condition, seconds, what):
    """Return when `condition()` is true."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"{what}, not within {seconds} s"
        time.sleep(0.02)


class Program:
    """A program in a process group of its own, which ends with this process; `log` (Path) is what it prints."""

    def __init__(self, name, folder, command, environ, end_signal="KILL"):
        self.name, self.log, self.environ = name, folder / f"{name}.log", environ
        begin = [sys.executable, "-I", "-S", launch.__file__, end_signal, "same", "0", "0", str(ROOT)]
        self.command = [*begin, *map(str, command)]
        self.process = None

    def start(self):
        """Start it; it may take a while until `is_ready()`."""
        self.begins_at = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("a") as log:
            options = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL, "start_new_session": True}
            self.process = subprocess.Popen(self.command, env=self.environ, **options)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """SIGKILL for it and all it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)

    def renderers(self):
        """The psutil.Process objects that render its documents."""
        with contextlib.suppress(psutil.Error):
            below = psutil.Process(self.process.pid).children(recursive=True)
            return [child for child in below if "pipeline.documents.renderer" in command_line(child)]
        return []

    def printed(self):
        """What it has printed since its start."""
        with self.log.open("rb") as log:
            log.seek(self.begins_at)
            return log.read().decode(errors="replace")

    def start_and_wait(self):
        """Return when it answers."""
        self.start()
        wait_until(self.is_ready, START_SECONDS, f"{self.name} is ready")


class Web(Program):
    """`pipeline serve` with two web processes on one port."""

    def __init__(self, folder, environ):
        self.port = free_port()
        environ = {**environ, "PORT": str(self.port), "WEB_WORKERS": "2"}
        super().__init__("web", folder, [sys.executable, "-m", "pipeline", "serve"], environ, "TERM")

    def is_ready(self):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
            return True
        return False

    def workers(self):
        """The psutil.Process objects of its web processes."""
        with contextlib.suppress(psutil.Error):
            return [child for child in psutil.Process(self.process.pid).children() if _is_worker(child)]
        return []


def _is_worker(process):
    with contextlib.suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE and "resource_tracker" not in command_line(process)
    return False


class Worker(Program):
    """`pipeline worker`; with a queue, as it runs below the one that starts a process for each."""

    def __init__(self, name, folder, environ, queue=None):
        self.queue = queue
        words = ["--queue", queue] if queue else []
        super().__init__(name, folder, [sys.executable, "-m", "pipeline", "worker", *words], environ)

    def is_ready(self):
        return "ready." in self.printed()


def command_line(process):
    """A process's command in one line; nothing when it has ended."""
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""
