"""Named points at which a process kills itself, so that tests can prove what a crash there leaves behind.

`PIPELINE_CHAOS` names the points, separated by commas; `name:0.1` dies in one pass out of ten. Without the variable
every point is a no-op.
"""

import os
import random
import signal

DEATH = "dies at chaos point "
# Read once: every transaction passes two points, and to look into the environment costs more than all else here.
WANTED = os.environ.get("PIPELINE_CHAOS", "")


def chaos_point(name: str) -> None:
    """Kill this process with SIGKILL when the environment names this point; else nothing."""
    if not WANTED:
        return
    for point in WANTED.split(","):
        point, _, share = point.partition(":")
        if point == name and random.random() < float(share or 1):
            os.write(2, f"{DEATH}{name}\n".encode())  # so that nobody takes another death for this one
            os.kill(os.getpid(), signal.SIGKILL)
