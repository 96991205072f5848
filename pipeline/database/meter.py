"""How long a thread has spent in the database, and with how many statements, since somebody last began to count."""

import threading


class Meter(threading.local):
    """`seconds` and `number` of the statements of this thread; BEGIN and COMMIT count in the seconds alone."""

    seconds, number = 0.0, 0

    def reset(self) -> None:
        """Begin anew."""
        self.seconds, self.number = 0.0, 0

    def add(self, seconds: float, statements: int = 1) -> None:
        """Count the seconds of a statement, or of what is none."""
        self.seconds += seconds
        self.number += statements


meter = Meter()
