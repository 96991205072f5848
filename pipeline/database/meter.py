"""How long a thread has spent in the database, and with how many statements, since somebody last began to count."""

import contextlib
import threading
import time


class Meter(threading.local):
    """`seconds` and `number` of the statements of this thread; BEGIN and COMMIT count in the seconds alone."""

    seconds, number = 0.0, 0

    def reset(self):
        """Begin anew."""
        self.seconds, self.number = 0.0, 0

    def add(self, seconds):
        """Count a statement."""
        self.seconds += seconds
        self.number += 1

    @contextlib.contextmanager
    def running(self):
        """Count the time of the block, which is no statement of its own."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - started


meter = Meter()
