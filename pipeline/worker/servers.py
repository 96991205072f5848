"""Threads for each server with organizations."""

import threading
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

import structlog

LOOK_SECONDS = 5.0

log = structlog.get_logger("pipeline.worker")


class StoppableThread(Protocol):
    def start(self) -> None: ...

    def stop(self) -> None: ...


S = TypeVar("S")


class ServerThreads(threading.Thread, Generic[S]):
    """A thread of `make(server)` for each of `servers()`, until `stop()`."""

    def __init__(self, servers: Callable[[], Iterable[S]], make: Callable[[S], StoppableThread]) -> None:
        super().__init__(name="servers", daemon=True)
        self._servers, self._make = servers, make
        self._working: dict[S, StoppableThread] = {}
        self._stopping = threading.Event()

    def run(self) -> None:
        """Update the threads every few seconds."""
        while not self._stopping.is_set():
            try:
                self._update_threads()
            except Exception as error:
                log.error("the servers are not known", exc_info=error)
            self._stopping.wait(LOOK_SECONDS)

    def _update_threads(self) -> None:
        servers = set(self._servers())
        for gone in self._working.keys() - servers:
            self._working.pop(gone).stop()
        for new in servers - self._working.keys():
            thread = self._make(new)
            thread.start()
            self._working[new] = thread

    def stop(self) -> None:
        self._stopping.set()
        self.join()
        for thread in self._working.values():
            thread.stop()
