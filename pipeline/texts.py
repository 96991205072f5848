"""Invisible characters that change the direction of a text."""

import re

# Unicode's direction marks. One in a name turns the order of the letters after it, in the sentence around it too.
DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def set_apart(text):
    """A text for use within a sentence, isolated (U+2068 … U+2069): it cannot change the sentence's direction."""
    return f"\u2068{DIRECTION_MARKS.sub('', text)}\u2069"
