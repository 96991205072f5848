"""The disk that bodies and answers share."""

import io
import threading

from pipeline.server.spool import Budget
from tests.waiting import wait_until


class Slow(io.BytesIO):
    """A file whose closing waits for the disk, until that is `ready`."""

    def __init__(self):
        super().__init__()
        self.ready = threading.Event()

    def close(self):
        self.ready.wait()
        super().close()


class Broken(io.BytesIO):
    """A file that cannot be closed the first time."""

    failed = False

    def close(self):
        super().close()
        if not self.failed:
            self.failed = True
            raise OSError("The disk is full.")


def test_who_drops_a_file_does_not_wait_for_the_disk_and_its_bytes_count_until_it_is_closed():
    budget, file = Budget(100), Slow()
    assert budget.take("a", 20)
    budget.drop("a", file, 20)
    assert budget.used == 20
    file.ready.set()
    wait_until(lambda: not budget.used)
    assert file.closed


def test_a_file_that_cannot_be_closed_keeps_no_other_from_it():
    budget, file = Budget(100), io.BytesIO()
    assert budget.take("a", 20)
    budget.drop("a", Broken(), 10)
    budget.drop("a", file, 10)
    wait_until(lambda: file.closed and not budget.used)
