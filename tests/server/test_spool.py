"""The disk that bodies and answers share."""

import io
import socket
import threading

import pytest

from pipeline.server import delivery
from pipeline.server.delivery import Delivery
from pipeline.server.spool import MEMORY, MOST_DROPPED, Budget
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


def test_so_many_files_wait_to_be_closed_and_no_more():
    budget, first, last = Budget(100), Slow(), io.BytesIO()
    budget.drop("a", first, 0)
    wait_until(budget._dropped.empty)
    for file in (*(io.BytesIO() for _ in range(MOST_DROPPED)), last):
        budget.drop("a", file, 0)
    assert last.closed
    assert not first.closed
    first.ready.set()


def test_what_no_file_can_be_made_for_keeps_no_room(monkeypatch):
    def full():
        raise OSError("Too many open files")

    monkeypatch.setattr(delivery, "temporary_file", full)
    budget, (ours, theirs) = Budget(10 * MEMORY), socket.socketpair()
    with ours, theirs, pytest.raises(OSError, match="Too many"):
        Delivery(ours, "a", budget, "a", 1)._put(memoryview(bytes(2 * MEMORY)))
    assert budget.used == 0


def test_a_file_that_cannot_be_closed_keeps_no_other_from_it():
    budget, file = Budget(100), io.BytesIO()
    assert budget.take("a", 20)
    budget.drop("a", Broken(), 10)
    budget.drop("a", file, 10)
    wait_until(lambda: file.closed and not budget.used)
