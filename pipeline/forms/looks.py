"""What pages wear: the organization's name, its colours, its logo.

A page that tells of a failure wears them too. Where the database cannot be asked (it is away, or the limit is spent and
asking it is what the limit is for), the look is the one that this process last showed at the same address.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

MAX_LOOKS = 1000


class Look(NamedTuple):
    """The name of the organization, the branding with its colours, the path of the logo, the language of the form, the
    origins that may frame it; a page of nobody has none.
    """

    organization: str | None = None
    branding: Mapping[str, Any] = MappingProxyType({})
    logo: str | None = None
    language: str | None = None
    origins: tuple[str, ...] = ()


class Looks:
    """The looks of the addresses that were shown last, by path; the token in it is all that opens them."""

    def __init__(self) -> None:
        self.looks: OrderedDict[str, Look] = OrderedDict()
        self.lock = threading.Lock()

    def remember(self, path: str, look: Look) -> None:
        """Keep the look of an address, and forget the one that was shown longest ago when there are too many."""
        with self.lock:
            self.looks[path] = look
            self.looks.move_to_end(path)
            if len(self.looks) > MAX_LOOKS:
                self.looks.popitem(last=False)

    def find(self, path: str) -> Look:
        """The look of an address; that of nobody where none was shown."""
        with self.lock:
            return self.looks.get(path, Look())


def logo_path(sha256: str | None) -> str | None:
    """Where a stored logo is shown; None for none."""
    return f"/forms/logo/{sha256}" if sha256 else None
