"""Numbers, addresses and links in texts from right to left: without isolation, their parts change places."""

import re

from markupsafe import Markup

FSI, PDI = "\u2068", "\u2069"
# Web and email addresses; phone numbers, dates and others of several groups.
CONTACT = re.compile(
    r"https?://[^\s<>]*[^\s<>.,;:!?)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[+-]?\(?[0-9][0-9()./ \u00a0-]*[0-9]"
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def runs_right(text: str) -> bool:
    """Whether a text has letters that run from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def isolated(text: str) -> str:
    """A text for paper with isolates, around its numbers and addresses if it runs from right to left; Markup stays."""
    if isinstance(text, Markup) or not text:
        return text
    return CONTACT.sub(f"{FSI}\\g<0>{PDI}", text) if runs_right(text) else f"{FSI}{text}{PDI}"
