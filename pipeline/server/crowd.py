"""Who is connected: no client keeps others out by being many, or by being slow.

When an address has all the connections it may have, the next one takes the place of one of its own that waits for its
client: idle ones go first, then those whose requests have been arriving for longest. When the process has all it may
have, the address with the most gives one up. What is being answered stays.
"""

import threading
from typing import TYPE_CHECKING

from pipeline.server.bounds import Bounds

if TYPE_CHECKING:
    from pipeline.server.connection import Connection

# So many connections beyond the limit are told at the same time why they are refused; others are just closed.
TURNED_AWAY = 64


class Crowd:
    """The connections of a process, by the network that they come from."""

    def __init__(self, bounds: Bounds) -> None:
        self.most, self.most_each = bounds.connections, bounds.connections_per_address
        self.by_group: dict[str, dict[Connection, None]] = {}
        self.number = 0
        self._lock = threading.Lock()

    def enter(self, connection: "Connection") -> list[list["Connection"]]:
        """Count a connection. Returns lists of others of which one must go for it, the first one that can.

        None when there is room. Counting and looking are one step, or of several that come at once each would believe
        that it is the last for whom there is room.
        """
        with self._lock:
            members = self.by_group.setdefault(connection.group, {})
            others = list(members)
            members[connection] = None
            self.number += 1
            if self.most_each and len(others) >= self.most_each:
                return [others]
            if self.number > self.most:
                largest = max(self.by_group.values(), key=len)
                everybody = [one for members in self.by_group.values() for one in members]
                return [[one for one in crowd if one is not connection] for crowd in (largest, everybody)]
        return []

    def leave(self, connection: "Connection") -> None:
        """It is closed."""
        with self._lock:
            members = self.by_group.get(connection.group)
            if members is not None and members.pop(connection, self) is None:
                self.number -= 1
                if not members:
                    del self.by_group[connection.group]

    def is_overfull(self) -> bool:
        """Whether not even a refusal has room."""
        return self.number > self.most + TURNED_AWAY
