"""The processes of `pipeline worker`."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from types import FrameType

import structlog

from pipeline.database import hangup
from pipeline.process.metrics import forget_process

LOOK_SECONDS = 0.1
RESTART_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Fleet:
    """Runs commands side by side: {name: arguments}. A killed process restarts; if one exits by itself, all stop."""

    def __init__(self, commands: Mapping[str, list[str]], environ: Mapping[str, str]) -> None:
        self.commands, self.environ = commands, environ
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        # The signals to pass on: SIGTERM or SIGHUP.
        self.noted: list[int] = []
        self.stopping = False
        self.code: int | None = None

    def run(self) -> int:
        """Run until SIGTERM or SIGINT; returns the exit code. Passes signals on."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._note)
        for name in self.commands:
            self._start(name)
        while self.running:
            while self.noted:
                self._pass_on(self.noted.pop(0))
            for name, process in list(self.running.items()):
                if process.poll() is not None:
                    self._ended(name, process.returncode)
            time.sleep(LOOK_SECONDS)
        return self.code or 0

    def _note(self, number: int, _frame: FrameType | None = None) -> None:
        self.stopping = self.stopping or number != signal.SIGHUP
        self.noted.append(signal.SIGHUP if number == signal.SIGHUP else signal.SIGTERM)

    def _start(self, name: str) -> None:
        # This process passes Ctrl-C on; its end closes the input.
        with hangup.blocked_hangup():
            self.running[name] = subprocess.Popen(
                self.commands[name], env=self.environ, stdin=subprocess.PIPE, start_new_session=True
            )

    def _pass_on(self, number: int) -> None:
        for process in self.running.values():
            process.send_signal(number)

    def _ended(self, name: str, code: int) -> None:
        process = self.running.pop(name)
        process.communicate()  # closes its input
        forget_process(process.pid)
        if self.stopping:
            # SIGTERM came before its handler existed.
            self.code = max(self.code or 0, 0 if code == -signal.SIGTERM else abs(code))
        elif code < 0:
            log.error("worker process killed, starting it again", queue=name, signal=-code)
            time.sleep(RESTART_SECONDS)
            self._start(name)
        else:
            log.error("worker process ended by itself, stopping the others", queue=name, code=code)
            self.code = code or 1
            self._note(signal.SIGTERM)


def end_with_parent() -> None:
    """SIGTERM this process when its Fleet's process ends."""

    def wait() -> None:
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()
