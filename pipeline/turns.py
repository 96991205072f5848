"""Turns: few requests of a process at once do what holds a connection for long; the others wait without one."""

import contextlib
import threading

from pipeline.problems import Problem
from pipeline.security import paused


class Turns:
    """`number` turns at once in this process; who has waited `seconds` for one gets a 503 that says `refusal`."""

    def __init__(self, number, seconds, refusal):
        self.free, self.seconds, self.refusal = threading.BoundedSemaphore(number), seconds, refusal

    @contextlib.contextmanager
    def turn(self, request, access):
        """Hold a turn; if none is free at once, the request's transaction ends and a new one begins with the turn."""
        taken = self.free.acquire(blocking=False)
        try:
            if not taken:
                with paused(request, access):
                    taken = self.free.acquire(timeout=self.seconds)
            if not taken:
                raise Problem("unavailable", self.refusal)
            yield
        finally:
            if taken:
                self.free.release()
