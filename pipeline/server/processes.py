"""The web processes: as many as asked for on one listening socket, replaced when they die, ended with their parent.

Each is a new Python that gets two file descriptors: the socket, and the reading end of a pipe whose writing end only
the parent has. Its end of file means: finish. So no process outlives its parent, however that ends.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from types import FrameType
from typing import NoReturn

import structlog

from pipeline.database import hangup
from pipeline.http import cores
from pipeline.telemetry.metrics import forget_process

LOOK_SECONDS = 0.1
# A process that dies as soon as it has started is not started again more often than this.
RESTART_SECONDS = 1.0
STOP_SECONDS = 35

# A process, when it was started, and the core of its threads.
Process = tuple[subprocess.Popen[bytes], float, int | None]

log = structlog.get_logger(__name__)


class Processes:
    """`number` processes that serve what `factory` ("module:function") makes, with `threads` threads each.

    bind: whether the threads of each stay on one core (see http/cores.py).
    """

    def __init__(self, factory: str, listener: socket.socket, number: int, threads: int, bind: bool = True) -> None:
        self.factory, self.listener, self.number, self.threads = factory, listener, number, threads
        self.cores = cores.in_turn(bind)
        self.running: list[Process] = []

    def serve(self) -> NoReturn:
        """Serve until this is interrupted by an exception; the processes then finish what they have begun.

        SIGHUP is passed on to them.
        """
        signal.signal(signal.SIGHUP, self._pass_on)
        stop, end = os.pipe()
        try:
            self.running = [self._start(stop, next(self.cores)) for _ in range(self.number)]
            host, port = self.listener.getsockname()[:2]
            log.info("serving", host=host, port=port, processes=self.number, threads=self.threads)
            while True:
                time.sleep(LOOK_SECONDS)
                self.running = [self._alive(one, stop) for one in self.running]
        finally:
            self.listener.close()
            os.close(end)
            os.close(stop)
            self._wait()

    def _start(self, stop: int, core: int | None) -> Process:
        given = self.listener.fileno(), stop, self.threads, *(() if core is None else (core,))
        command = [sys.executable, "-m", "pipeline.server", self.factory, *map(str, given)]
        with hangup.held():
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=(self.listener.fileno(), stop))
        return process, time.monotonic(), core

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        for process, _started, _core in self.running:
            process.send_signal(number)

    def _alive(self, one: Process, stop: int) -> Process:
        """A started process, or the one that takes its place."""
        process, started, core = one
        if process.poll() is None or time.monotonic() < started + RESTART_SECONDS:
            return one
        log.error("web process died", code=process.returncode)
        forget_process(process.pid)
        return self._start(stop, core)

    def _wait(self) -> None:
        end = time.monotonic() + STOP_SECONDS
        for process, _started, _core in self.running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
                continue
            log.error("web process killed: it did not finish", pid=process.pid)
            process.kill()
            process.wait()
