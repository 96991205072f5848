"""The request schemas of webhooks."""

import contextlib
import re
from typing import Any
from urllib.parse import urlsplit

from pipeline.api.pagination import Paged
from pipeline.changes.webhooks.events import EVENTS
from pipeline.validation import Body, Boolean, Choice, Choices, Listing, Text, Url, optional, refuse, required


class Target(Url):
    """An absolute URL of printable ASCII, without user name or fragment."""

    def read(self, given: Any) -> str | None:
        text = Text.read(self, given)
        if text is not None and (fault := _fault(text)):
            refuse(self.code, fault)
        return text


def _fault(text: str) -> str | None:
    if not re.match("https?://", text):
        return "Must begin with https://."
    if "#" in text:
        return "Must not have a fragment (#)."
    if not re.fullmatch(r"[!-~]+", text) or re.search(r"[\\<>\"]", text):
        return "Must be printable ASCII without spaces, quotes, backslashes, < and >."
    try:
        parts = urlsplit(text)
    except ValueError:
        return "Has a host that cannot be read."
    if "@" in parts.netloc:
        return "Must not hold a user name or a password."
    if not parts.hostname:
        return "Names no host."
    with contextlib.suppress(ValueError):
        if parts.port != 0:
            return None
    return "Has a port that is no number from 1 to 65535."


class Webhook(Body):
    """The writable fields of a webhook."""

    url = required(Target())
    events = required(Listing(Choice(*EVENTS), max_items=len(EVENTS), unique=True, min_items=1))
    description = optional(Text(max_length=255))
    active = optional(Boolean(), default=True)


class DeliveryList(Paged):
    """The query of a webhook's deliveries."""

    status = optional(Choices("pending", "delivered", "failed"))
