"""Whose turn it is: requests that have arrived wait here for a thread, and those who sent them take turns.

Whose a request is, is a path: first the group (an organization, or all of whom nothing is known), then parts of it. A
thousand requests of one group delay another group's by one request, not by a thousand; within a group its parts take
turns in the same way, and so on. A thread is kept for the others: one group never has them all, so what computes or
waits for long leaves a way past it.
"""

import threading
from collections import Counter, deque
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")
# What waits: by the first part of its path the line of the rest, at the end of which a deque of requests.
Line = dict[Hashable, Any]
_NOBODY = object()


class Turns(Generic[T]):
    """The waiting requests by their paths, for so many threads; a group has at most all but one."""

    def __init__(self, threads: int) -> None:
        self.most = max(1, threads - 1)
        self.waiting: Line = {}
        self.running: Counter[Hashable] = Counter()
        self.idle = 0
        self._lock = threading.Lock()

    def put(self, path: tuple[Hashable, ...], request: T) -> None:
        """Let a request wait for its turn; all paths are equally long."""
        with self._lock:
            line = self.waiting
            for part in path[:-1]:
                line = line.setdefault(part, {})
            line.setdefault(path[-1], deque()).append(request)

    def take(self, rest: bool = False) -> tuple[Hashable, T] | None:
        """Group and request whose turn it is, or None; `rest` says that who finds none goes to rest until called."""
        with self._lock:
            group = self._next()
            if group is _NOBODY:
                self.idle += rest
                return None
            self.running[group] += 1
            return group, _first(self.waiting, group)

    def done(self, group: Hashable) -> None:
        """A request of the group has been served."""
        with self._lock:
            self.running[group] -= 1
            if not self.running[group]:
                del self.running[group]

    def rise(self) -> None:
        """Who went to rest works again."""
        with self._lock:
            self.idle -= 1

    def needs_help(self) -> bool:
        """Whether requests wait that a resting thread may take."""
        with self._lock:
            return self.idle > 0 and self._next() is not _NOBODY

    def _next(self) -> Hashable:
        return next((group for group in self.waiting if self.running[group] < self.most), _NOBODY)


def _first(line: Line, part: Hashable) -> Any:
    """Take the first request of a part of a line; who still has something waiting goes to the end of the line."""
    waiting = line.pop(part)
    request = waiting.popleft() if isinstance(waiting, deque) else _first(waiting, next(iter(waiting)))
    if waiting:
        line[part] = waiting
    return request
