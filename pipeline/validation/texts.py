"""Characters of a text: those that no one sees, and those that nothing can store."""

import re
import unicodedata
from typing import Any

# Unicode's direction marks. One in a name turns the order of the letters after it, in the sentence around it too.
DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What neither the database nor UTF-8 can hold.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# The same, and what a single line of text has no use for: control characters, line ends, and the embeddings, overrides
# and isolates of direction, by which a name reads as another one.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# Those of direction alone.
DIRECTION_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Unicode's categories of spaces, line ends, control and format characters.
INVISIBLE = ("Zs", "Zl", "Zp", "Cc", "Cf")


def set_apart(text: str) -> str:
    """A text for use within a sentence, isolated (U+2068 … U+2069): it cannot change the sentence's direction."""
    return f"\u2068{DIRECTION_MARKS.sub('', text)}\u2069"


def is_visible(text: str) -> bool:
    """Whether a text has a character that is neither space nor control nor, like U+200B, of no width."""
    return any(unicodedata.category(sign) not in INVISIBLE for sign in text)


def composed(value: Any, trim: bool = False) -> Any:
    """JSON data with every string, names too, in Unicode's composed form (NFC), and trimmed when asked to."""
    if isinstance(value, str):
        text = value if value.isascii() else unicodedata.normalize("NFC", value)
        return text.strip() if trim else text
    if isinstance(value, list):
        return [composed(item, trim) for item in value]
    if isinstance(value, dict):
        return {composed(name): composed(item, trim) for name, item in value.items()}
    return value
