"""Characters of a text that no one sees."""

import re

# They make what stands behind them read from the other side, the words of others too.
DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def set_apart(text):
    """A text for the middle of a sentence, which it cannot turn around whatever it holds."""
    return f"\u2068{DIRECTION_MARKS.sub('', text)}\u2069"
