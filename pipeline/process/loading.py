"""Imports at program start."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Run the block without garbage collection, and exempt its objects from later ones."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
