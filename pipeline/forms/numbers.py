"""Numbers as people type them; tests/forms/number_vectors.json also binds the script."""

import functools
import re
from decimal import Decimal

from babel import Locale

# Arabic, Persian and Urdu digits and separators.
_DIGITS = str.maketrans(
    {chr(zero + digit): str(digit) for zero in (0x0660, 0x06F0) for digit in range(10)} | {"\u066b": ".", "\u066c": "'"}
)
# Spaces, and the Swiss apostrophe between thousands.
_FILLING = re.compile(r"[\s'\u2019]")
_PLAIN = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(\.[0-9]+)?|[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+(,[0-9]+)?")
_ONE_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
MAX_LENGTH = 60


def ascii_digits(text: str) -> str:
    """Replaces Arabic and Persian digits."""
    return text.translate(_DIGITS)


def is_ambiguous(text: str) -> bool:
    """Whether thousands and decimals look alike."""
    return _ONE_GROUP.fullmatch(_FILLING.sub("", ascii_digits(text))) is not None


@functools.cache
def grouping_of(language: str) -> str:
    """The comma or dot between thousands, or ""."""
    sign = Locale.parse(language.replace("-", "_")).number_symbols["latn"]["group"]
    return sign if sign in (",", ".") else ""


def read_number(text: str, integer: bool = False, grouping: str = "") -> int | Decimal | None:
    """Parses a number; None if invalid or ambiguous.

    `1,500` is 1500 with `integer` or its sign as `grouping`, else ambiguous.
    """
    written = _FILLING.sub("", ascii_digits(text))
    if len(written) > MAX_LENGTH:
        return None
    if _ONE_GROUP.fullmatch(written):
        is_grouped = integer or (grouping != "" and grouping in written)
        return int(re.sub("[.,]", "", written)) if is_grouped else None
    if _PLAIN.fullmatch(written):
        number = Decimal(written.replace(",", "."))
    elif _GROUPED.fullmatch(written):
        grouping = next(sign for sign in written if sign in ".,")
        number = Decimal(written.replace(grouping, "").replace(",", "."))
    else:
        return None
    return int(number) if number == number.to_integral_value() else number
