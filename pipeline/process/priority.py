"""Background processes let requests go first."""

import contextlib
import os
from pathlib import Path

NICENESS = 5


def lower_priority() -> None:
    """Lower the priority of this process and of those that it starts."""
    os.nice(NICENESS)
    # Some kernels weigh sessions before processes.
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(NICENESS))
