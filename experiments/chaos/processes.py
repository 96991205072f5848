import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil

from development.account import ending_with_parent
from development.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
# A program is ready in seconds; on a machine that others keep busy it may take minutes.
START_SECONDS = 300


def wait_until(condition, seconds, what):
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"{what}, not within {seconds} s"
        time.sleep(0.02)


class Program:
    """A program in a process group of its own, which ends with this process; `log` (Path) is what it prints."""

    def __init__(self, name, folder, command, environ, end_signal="KILL", root=ROOT):
        self.name, self.log, self.environ = name, folder / f"{name}.log", environ
        self.command, self.root = ending_with_parent([*map(str, command)], end_signal), root
        self.process = None

    def start(self):
        """Start it; it may take a while until `is_ready()`."""
        self.begins_at = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("a") as log:
            options = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL, "start_new_session": True}
            self.process = subprocess.Popen(self.command, cwd=self.root, env=self.environ, **options)

    def start_and_wait(self):
        self.start()
        wait_until(lambda: self.is_ready() or not self.is_running(), START_SECONDS, f"{self.name} is ready")
        assert self.is_running(), self.printed()

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """SIGKILL for it and all it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)

    def renderers(self):
        return self.children("pipeline.documents.processes.renderer", recursive=True)

    def children(self, word="", recursive=False):
        """The processes below it with this word in their command."""
        with contextlib.suppress(psutil.Error):
            children = psutil.Process(self.process.pid).children(recursive)
            return [child for child in children if word in command_line(child)]
        return []

    def printed(self):
        """What it has printed since its start."""
        with self.log.open("rb") as log:
            log.seek(self.begins_at)
            return log.read().decode(errors="replace")


class Web(Program):
    """`pipeline serve` with two web processes on one port."""

    def __init__(self, folder, environ, name="web", root=ROOT):
        self.port = free_port()
        environ = {**environ, "PORT": str(self.port), "WEB_WORKERS": "2"}
        super().__init__(name, folder, [sys.executable, "-m", "pipeline", "serve"], environ, "TERM", root)

    def is_ready(self):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
            return True
        return False

    def workers(self):
        """The psutil.Process objects of its web processes; a zombie has no command."""
        found = [(child, command_line(child)) for child in self.children()]
        return [child for child, command in found if command and "resource_tracker" not in command]


class Worker(Program):
    """`pipeline worker`; with a queue, as it runs below the one that starts a process for each."""

    def __init__(self, name, folder, environ, queue=None, root=ROOT):
        self.queue = queue
        words = ["--queue", queue] if queue else []
        super().__init__(name, folder, [sys.executable, "-m", "pipeline", "worker", *words], environ, root=root)

    def is_ready(self):
        return "ready." in self.printed()


def command_line(process):
    """A process's command in one line; nothing when it has ended."""
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""
