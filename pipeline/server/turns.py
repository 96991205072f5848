"""Whose turn it is: requests that have arrived wait here for a thread, and those who sent them take turns.

A thousand requests of one source delay another's by one request, not by a thousand. A thread is kept for the others:
one source never has them all, so what computes or waits for long leaves a way past it.
"""

import threading
from collections import Counter, deque


class Turns:
    """The waiting requests by source (hashable), for so many threads; each source has at most all threads but one."""

    def __init__(self, threads):
        self.most = max(1, threads - 1)
        self.waiting, self.running, self.idle = {}, Counter(), 0
        self._lock = threading.Lock()

    def put(self, source, request):
        """Let a request wait for its turn."""
        with self._lock:
            self.waiting.setdefault(source, deque()).append(request)

    def take(self, rest=False):
        """(source, request) whose turn it is, or None; `rest` says that who finds none goes to rest until called."""
        with self._lock:
            source = next((one for one in self.waiting if self.running[one] < self.most), None)
            if source is None:
                self.idle += rest
                return None
            # Who still has something waiting goes to the end of the line.
            requests = self.waiting.pop(source)
            request = requests.popleft()
            if requests:
                self.waiting[source] = requests
            self.running[source] += 1
            return source, request

    def done(self, source):
        """The request has been served."""
        with self._lock:
            self.running[source] -= 1
            if not self.running[source]:
                del self.running[source]

    def rise(self):
        """Who went to rest works again."""
        with self._lock:
            self.idle -= 1

    def needs_help(self):
        """Whether requests wait that a resting thread may take."""
        with self._lock:
            return self.idle > 0 and any(self.running[source] < self.most for source in self.waiting)
