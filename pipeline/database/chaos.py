"""Points at which a process kills itself, in tests: `PIPELINE_CHAOS`, with `name:0.1` for one pass of ten."""

import os
import random
import signal

DEATH = "dies at chaos point "
# Every transaction passes two points, and reading the environment is slow.
WANTED = os.environ.get("PIPELINE_CHAOS", "")


def chaos_point(name: str) -> None:
    """SIGKILL this process if the environment lists this point."""
    if not WANTED:
        return
    for point in WANTED.split(","):
        point, _, share = point.partition(":")
        if point == name and random.random() < float(share or 1):
            os.write(2, f"{DEATH}{name}\n".encode())  # to tell this death from others
            os.kill(os.getpid(), signal.SIGKILL)
