"""Unicode classes and normalisation."""

import re
import unicodedata
from typing import Any

# Direction marks; in a name they also reorder the surrounding text.
DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# NUL is invalid in PostgreSQL, lone surrogates in UTF-8.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Also control characters, line ends, and direction controls, which can disguise a name.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
DIRECTION_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Unicode categories.
INVISIBLE = ("Zs", "Zl", "Zp", "Cc", "Cf")


def set_apart(text: str) -> str:
    """Returns a direction isolate without direction marks."""
    return f"\u2068{DIRECTION_MARKS.sub('', text)}\u2069"


def is_visible(text: str) -> bool:
    """Returns whether a text has a visible character."""
    return any(unicodedata.category(sign) not in INVISIBLE for sign in text)


def composed(value: Any, trim: bool = False) -> Any:
    """Returns JSON data with all strings in NFC."""
    if isinstance(value, str):
        text = value if value.isascii() else unicodedata.normalize("NFC", value)
        return text.strip() if trim else text
    if isinstance(value, list):
        return [composed(item, trim) for item in value]
    if isinstance(value, dict):
        return {composed(name): composed(item, trim) for name, item in value.items()}
    return value
