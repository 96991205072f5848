"""What the webhook endpoints take."""

import re
from urllib.parse import urlsplit

from pipeline.http.pagination import Paged
from pipeline.validation import Body, Boolean, Choice, Listing, Text, Url, optional, required
from pipeline.webhooks.events import EVENTS


class Target(Url):
    """An absolute URL of which a request can be made: printable ASCII, a host, no user name, no fragment.

    Whether it may be called is decided by addresses.is_allowed, which knows the settings.
    """

    wanted = "an https URL of a public host that has a name"

    @staticmethod
    def is_right(text: str) -> bool:
        if not re.fullmatch(r"https?://[!-~]+", text) or re.search(r"[\\<>\"#]", text):
            return False
        try:
            parts = urlsplit(text)
            return bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        except ValueError:
            return False


class Webhook(Body):
    """The writable fields of a webhook."""

    url = required(Target())
    events = required(Listing(Choice(*EVENTS), max_items=len(EVENTS), unique=True, min_items=1))
    description = optional(Text(max_length=255))
    active = optional(Boolean(), default=True)


class DeliveryList(Paged):
    """The query of a webhook's deliveries."""

    status = optional(Choice("pending", "delivered", "failed"))
