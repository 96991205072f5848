"""Imports at program start."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Keep the block's objects out of all garbage collections."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
