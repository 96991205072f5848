"""The web processes on one socket: `python -m pipeline.cli.serving.processes FACTORY LISTENER STOP THREADS [CORE]`.

FACTORY is `module:function`, which returns the Server for (socket, threads, core). LISTENER and STOP are file
descriptors; STOP is a pipe that ends with the parent.
"""

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import structlog

from pipeline.database import hangup
from pipeline.process import cores
from pipeline.process.loading import without_garbage_collection
from pipeline.process.metrics import forget_process

# The parent of the web processes needs no application.
if TYPE_CHECKING:
    from pipeline.http.server.serving import WebServer

LOOK_SECONDS = 0.1
# Least time between two starts of a process.
RESTART_SECONDS = 1.0
# Time until a stopping process is killed: more than STOP_SECONDS of http/server/serving.py.
KILL_SECONDS = 35.0
# With Python's 5 ms, twenty reads beside three busy threads took 0.44 s; with this, 0.07 s.
SWITCH_SECONDS = 0.0005

# (process, start, core of its threads).
Process = tuple[subprocess.Popen[bytes], float, int | None]

log = structlog.get_logger(__name__)


def main(factory: str, listener: str, stop: str, threads: str, core: str = "") -> None:
    """Serve in this process until STOP ends, or SIGTERM."""
    # Ctrl-C also reaches the parent, which stops this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stops = int(stop), signalled(signal.SIGTERM)
    module, _, function = factory.partition(":")
    # Freeze imported objects: a full collection stops every thread for about 100 ms.
    with without_garbage_collection():
        make = getattr(importlib.import_module(module), function)
        bound = socket.socket(fileno=int(listener))
        server = make(bound, int(threads), int(core) if core else None)
        gc.collect()
    host, port = bound.getsockname()[:2]
    log.info("serving", host=host, port=port, threads=int(threads))
    serve(server, stops)


def serve(server: "WebServer", stops: Iterable[int]) -> None:
    """Run a server until a file descriptor is readable, then finish its requests.

    The main thread keeps all cores (process/cores.py).
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    waiting = select.poll()
    for stop in stops:
        waiting.register(stop, select.POLLIN)
    while running.is_alive() and not waiting.poll(1000):
        pass
    server.stop()
    running.join()


def signalled(*numbers: int) -> int:
    """A file descriptor, readable after a signal; a second signal raises KeyboardInterrupt."""
    asked, ask = os.pipe()

    def stop(_number: int, _frame: FrameType | None) -> None:
        os.write(ask, b".")
        for number in numbers:
            signal.signal(number, signal.default_int_handler)

    for number in numbers:
        signal.signal(number, stop)
    return asked


class Processes:
    """Processes with a Server of `factory` ("module:function"); `bind` keeps threads on one core."""

    def __init__(self, factory: str, listener: socket.socket, number: int, threads: int, bind: bool = True) -> None:
        self.factory, self.listener, self.number, self.threads = factory, listener, number, threads
        self.cores = cores.cycle_cores(bind)
        self.running: list[Process] = []

    def serve(self) -> NoReturn:
        """Serve until an exception, then finish requests. Passes SIGHUP on."""
        signal.signal(signal.SIGHUP, self._pass_on)
        stop, end = os.pipe()
        try:
            for _ in range(self.number):
                self.running.append(self._start(stop, next(self.cores)))
            log.info("starting", processes=self.number)
            while True:
                time.sleep(LOOK_SECONDS)
                self.running = [self._alive(one, stop) for one in self.running]
        finally:
            # A second signal must not leave processes behind.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self.listener.close()
            os.close(end)
            os.close(stop)
            self._wait()

    def _start(self, stop: int, core: int | None) -> Process:
        given = self.listener.fileno(), stop, self.threads, *(() if core is None else (core,))
        command = [sys.executable, "-m", "pipeline.cli.serving.processes", self.factory, *map(str, given)]
        with hangup.blocked_hangup():
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=(self.listener.fileno(), stop))
        return process, time.monotonic(), core

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        for process, _started, _core in self.running:
            process.send_signal(number)

    def _alive(self, one: Process, stop: int) -> Process:
        process, started, core = one
        if process.poll() is None or time.monotonic() < started + RESTART_SECONDS:
            return one
        log.error("web process died", code=process.returncode)
        forget_process(process.pid)
        return self._start(stop, core)

    def _wait(self) -> None:
        end = time.monotonic() + KILL_SECONDS
        for process, _started, _core in self.running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
                continue
            log.error("web process killed: it did not finish", pid=process.pid)
            process.kill()
            process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
