"""Work that each server with organizations needs a thread of its own for; on one PostgreSQL that is one thread."""

import threading
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

import structlog

LOOK_SECONDS = 5.0

log = structlog.get_logger("pipeline.worker")


class Stoppable(Protocol):
    """A thread that is told when to end."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


S = TypeVar("S")


class OnServers(threading.Thread, Generic[S]):
    """A thread for each server until `stop()`; a server that gets its first organization later has its own soon after.

    servers(): those that have organizations now. make(server): the thread that works for one.
    """

    def __init__(self, servers: Callable[[], Iterable[S]], make: Callable[[S], Stoppable]) -> None:
        super().__init__(name="servers", daemon=True)
        self._servers, self._make = servers, make
        self._working: dict[S, Stoppable] = {}
        self._stopping = threading.Event()

    def run(self) -> None:
        """Look every few seconds; whatever fails is logged, and tried again."""
        while not self._stopping.is_set():
            try:
                self._look()
            except Exception as error:
                log.error("the servers are not known", exc_info=error)
            self._stopping.wait(LOOK_SECONDS)

    def _look(self) -> None:
        servers = set(self._servers())
        for gone in self._working.keys() - servers:
            self._working.pop(gone).stop()
        for new in servers - self._working.keys():
            thread = self._make(new)
            thread.start()
            self._working[new] = thread

    def stop(self) -> None:
        """End all of them."""
        self._stopping.set()
        self.join()
        for thread in self._working.values():
            thread.stop()
