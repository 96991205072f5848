"""Numbers as people type them. The browser's module reads them alike; tests/forms/number_vectors.json binds both."""

import re
from decimal import Decimal

# The digits of Arabic and of Persian and Urdu, with the separators that are written between them.
_DIGITS = str.maketrans(
    {chr(zero + digit): str(digit) for zero in (0x0660, 0x06F0) for digit in range(10)} | {"\u066b": ".", "\u066c": "'"}
)
# Spaces of every width, and the apostrophe that groups thousands in Switzerland.
_FILLING = re.compile(r"[\s'\u2019]")
_PLAIN = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(\.[0-9]+)?|[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+(,[0-9]+)?")
_ONE_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
MAX_LENGTH = 60


def western(text: str) -> str:
    """A text with the digits 0 to 9 for those of other scripts."""
    return text.translate(_DIGITS)


def read_number(text: str, integer: bool = False) -> int | Decimal | None:
    """The number that `text` writes, or None when it is no number or could be two.

    `1,500` is 1500 where only whole numbers are asked for (`integer`); elsewhere nobody can tell.
    `1.125` is a fraction there, as in every program.
    """
    written = _FILLING.sub("", western(text))
    if len(written) > MAX_LENGTH:
        return None
    if _ONE_GROUP.fullmatch(written):
        if integer:
            return int(re.sub("[.,]", "", written))
        return None if "," in written else Decimal(written)
    if _PLAIN.fullmatch(written):
        number = Decimal(written.replace(",", "."))
    elif _GROUPED.fullmatch(written):
        grouping = next(sign for sign in written if sign in ".,")
        number = Decimal(written.replace(grouping, "").replace(",", "."))
    else:
        return None
    return int(number) if number == number.to_integral_value() else number
