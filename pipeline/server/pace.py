"""How fast clients are heard: so many bytes of large bodies a second of all that one group (see turns.py) sends.

Reading costs a processor its time even where the request is refused in the end, and who sends over a fast line only to
be refused sends again at once. What is not read yet waits at its client, whose system learns that there is no room.
For the same reason a connection that was told to come back later (429) is not heard again at once.
"""

import heapq
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")
MIB = 1024 * 1024
# What two processes read so of one organization is what a line of a gigabit brings.
BYTES_PER_SECOND = 64 * MIB
# So much of a group is read as fast as it comes: more than one upload has.
AHEAD = 32 * MIB
# Of those who wait this part goes on together, those who began first: one upload after the other is complete, instead
# of all of them late and at the same time, when only one finds a slot.
PART = 8
# Who was told to come back in some seconds is not heard for this part of one.
REST_SECONDS = 0.25


class Pace(Generic[T]):
    """Counts what is read of each group, and keeps those of it who wait until more may be read, and those who rest."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        # When all that was read of a group would have been read at the pace, where that is still to come.
        self.even: dict[Hashable, float] = {}
        self.waiting: dict[Hashable, list[tuple[float, int, T]]] = {}
        self.resting: deque[tuple[float, T]] = deque()
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def read(self, group: Hashable, size: int) -> bool:
        """Count so many bytes of a group; whether more may be read now."""
        with self._lock:
            now = self.clock()
            even = max(now, self.even.get(group, now)) + size / BYTES_PER_SECOND
            # New clients are read a little before they wait. However many come, those who wait go on soon after.
            self.even[group] = min(even, now + 2 * AHEAD / BYTES_PER_SECOND)
            return self._may_read(group, now)

    def wait(self, group: Hashable, since: float, who: T) -> None:
        """Let somebody whose body has been arriving since a moment wait until more of the group may be read."""
        with self._lock:
            heapq.heappush(self.waiting.setdefault(group, []), (since, next(self._numbers), who))

    def rest(self, who: T) -> None:
        """Let somebody who was told to come back later rest."""
        with self._lock:
            self.resting.append((self.clock() + REST_SECONDS, who))

    def is_asked(self) -> bool:
        """Whether anybody waits or rests."""
        return bool(self.waiting or self.resting)

    def rested(self) -> list[T]:
        """Take out those who may go on."""
        with self._lock:
            now = self.clock()
            self.even = {group: even for group, even in self.even.items() if even > now}
            found = [who for group in [*self.waiting] if self._may_read(group, now) for who in self._first(group)]
            while self.resting and self.resting[0][0] <= now:
                found.append(self.resting.popleft()[1])
            return found

    def _may_read(self, group: Hashable, now: float) -> bool:
        return self.even.get(group, now) <= now + AHEAD / BYTES_PER_SECOND

    def _first(self, group: Hashable) -> list[T]:
        line = self.waiting[group]
        found = [heapq.heappop(line)[2] for _ in range(-(-len(line) // PART))]
        if not line:
            del self.waiting[group]
        return found
