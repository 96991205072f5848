"""Lines of strangers: a process takes the files of one kind one at a time, and a few requests wait for their turn."""

import contextlib
import threading
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from pyramid.config import Configurator

from pipeline.http.fairness.slots import busy
from pipeline.http.request import Request

CHECK, DRAWING = "check", "drawing"
# Seconds for which a request waits; no file takes as long.
PATIENCE = 20.0


class Place(NamedTuple):
    """A request in a line; `place` tells apart those of one owner."""

    kind: str
    who: Hashable
    place: object


class Lines:
    """The lines of one process.

    places: of all lines. A line has all but one of them, and an owner half of a line.
    """

    def __init__(self, places: int, patience: float = PATIENCE) -> None:
        self.places, self.patience = max(3, places), patience
        self.longest = self.places - 1
        self.each = (self.longest + 1) // 2
        self.changed = threading.Condition()
        self.taken: list[Place] = []

    @contextlib.contextmanager
    def turn(self, kind: str, who: Hashable) -> Iterator[None]:
        """Wait for the turn of a line, and hold it; raises 429 if the line is full."""
        place = Place(kind, who, object())
        with self.changed:
            line = self._line(kind)
            own = sum(one.who == who for one in line)
            if len(self.taken) >= self.places or len(line) >= self.longest or own >= self.each:
                raise busy("Other files are being read. Try again in a moment.")
            self.taken.append(place)
        try:
            with self.changed:
                if not self.changed.wait_for(lambda: self._line(kind)[0] is place, self.patience):
                    raise busy("The files before this one take long. Try again in a moment.")
            yield
        finally:
            with self.changed:
                self.taken.remove(place)
                self.changed.notify_all()

    def _line(self, kind: str) -> list[Place]:
        return [one for one in self.taken if one.kind == kind]


def lines_of(request: Request) -> Lines:
    lines: Lines = request.registry.lines
    return lines


def includeme(config: Configurator) -> None:
    """Half of the threads, because heavy work takes the others."""
    config.registry.lines = Lines(config.registry.pipeline.web_threads // 2)
