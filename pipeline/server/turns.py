"""Whose turn it is: requests that have arrived wait here for a thread, and those who sent them take turns.

A thousand requests of one group (an organization, or all who show no token) delay another group's by one request, not
by a thousand; within a group its members take turns in the same way. A thread is kept for the others: one group never
has them all, so what computes or waits for long leaves a way past it.
"""

import threading
from collections import Counter, deque

_NOBODY = object()


class Turns:
    """The waiting requests by group and member (hashable), for so many threads; a group has at most all but one."""

    def __init__(self, threads):
        self.most = max(1, threads - 1)
        self.waiting, self.running, self.idle = {}, Counter(), 0
        self._lock = threading.Lock()

    def put(self, group, member, request):
        """Let a request wait for its turn."""
        with self._lock:
            self.waiting.setdefault(group, {}).setdefault(member, deque()).append(request)

    def take(self, rest=False):
        """(group, request) whose turn it is, or None; `rest` says that who finds none goes to rest until called."""
        with self._lock:
            group = self._next()
            if group is _NOBODY:
                self.idle += rest
                return None
            # Who still has something waiting goes to the end of the line.
            members = self.waiting.pop(group)
            member = next(iter(members))
            requests = members.pop(member)
            request = requests.popleft()
            if requests:
                members[member] = requests
            if members:
                self.waiting[group] = members
            self.running[group] += 1
            return group, request

    def done(self, group):
        """A request of the group has been served."""
        with self._lock:
            self.running[group] -= 1
            if not self.running[group]:
                del self.running[group]

    def rise(self):
        """Who went to rest works again."""
        with self._lock:
            self.idle -= 1

    def needs_help(self):
        """Whether requests wait that a resting thread may take."""
        with self._lock:
            return self.idle > 0 and self._next() is not _NOBODY

    def _next(self):
        return next((group for group in self.waiting if self.running[group] < self.most), _NOBODY)
