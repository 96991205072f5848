"""How tests wait: for something to come true, until a deadline that only what never comes reaches."""

import time

# Of a machine that is busy with other tests at the same time; who waits in vain waits this long once.
SECONDS = 100


def wait_until(condition, explain=lambda: "It does not come true."):
    """What `condition()` answers once that is true; fails with `explain()` when it has not become so in time."""
    end = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < end, explain()
        time.sleep(0.02)
    return found


def without_timeouts(url):
    """A database's URL by which a statement waits for a lock to the end of the test, not for two seconds."""
    return f"{url}&options=-c%20lock_timeout%3D0%20-c%20statement_timeout%3D0"
