"""Imports at program start."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Disable garbage collection in the block; later collections skip its objects."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
