"""The looks of pages. A failure page reuses its path's last look, without the database."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

MAX_LOOKS = 1000


class Look(NamedTuple):
    """The look of a page; `origins` may frame it."""

    organization: str | None = None
    branding: Mapping[str, Any] = MappingProxyType({})
    logo: str | None = None
    language: str | None = None
    origins: tuple[str, ...] = ()


class Looks:
    """The latest MAX_LOOKS looks by path."""

    def __init__(self) -> None:
        self.looks: OrderedDict[str, Look] = OrderedDict()
        self.lock = threading.Lock()

    def remember(self, path: str, look: Look) -> None:
        """Stores a look; drops the oldest beyond MAX_LOOKS."""
        with self.lock:
            self.looks[path] = look
            self.looks.move_to_end(path)
            if len(self.looks) > MAX_LOOKS:
                self.looks.popitem(last=False)

    def find(self, path: str) -> Look:
        """The look of a path, or the default."""
        with self.lock:
            return self.looks.get(path, Look())


def logo_path(sha256: str | None) -> str | None:
    """A stored logo's path, or None."""
    return f"/forms/logo/{sha256}" if sha256 else None
