"""Numbers as people type them; tests/forms/number_vectors.json also binds the script."""

import functools
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

from babel import Locale
from babel.numbers import get_currency_name, get_currency_symbol, list_currencies

from pipeline.validation.types import narrow

# Arabic, Persian and Urdu digits and separators, and the minus sign.
_DIGITS = str.maketrans(
    {chr(zero + digit): str(digit) for zero in (0x0660, 0x06F0) for digit in range(10)}
    | {"\u066b": ".", "\u066c": "'", "\u2212": "-"}
)
# Characters that nobody sees, which come along with a copied text.
UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
# Spaces, and the Swiss apostrophe between thousands.
_FILLING = re.compile(r"[\s'\u2019]")
# 500,- and 500,– are prices without cents.
_NO_CENTS = re.compile(r"(?<=[0-9])[,.][-\u2013\u2014]+(?![0-9])")
_PLAIN = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(\.[0-9]+)?|[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+(,[0-9]+)?")
_ONE_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
MAX_LENGTH = 60
# No unit's edge beside a number.
_NUMERIC = "0123456789+-.,"
# Endings by which the plural and the singular of a noun differ, in the languages of the pages.
_ENDINGS = ("s", "es", "e", "en", "n", "er", "x")
_SWAPPED = (("y", "ies"), ("o", "i"), ("e", "i"), ("a", "e"), ("al", "aux"))
_UMLAUTS = str.maketrans("äöüÄÖÜ", "aouAOU")
# Languages with an own sign for a currency, such as kr, zł and Kč.
_SIGN_LANGUAGES = ("en", "cs", "da", "hu", "nb", "pl", "ro", "sv", "tr", "uk")


def ascii_digits(text: str) -> str:
    """Replaces Arabic, Persian and full-width digits."""
    return narrow(text).translate(_DIGITS)


def is_ambiguous(text: str, units: Iterable[str] = ()) -> bool:
    """Whether thousands and decimals look alike."""
    return _ONE_GROUP.fullmatch(_figures(text, units)) is not None


@functools.cache
def units_of(unit: str, language: str) -> tuple[str, ...]:
    """The texts that may stand beside a number: the unit in both numbers, and a currency's code, signs and names."""
    code = unit.upper() if unit.upper() in list_currencies() else _code_of(unit)
    units = {unit, unicodedata.normalize("NFKC", unit)} | (set() if code else _other_number(unit))
    if code:
        own = language.replace("-", "_")
        signs = {get_currency_symbol(code, locale) for locale in (own, *_SIGN_LANGUAGES)}
        # Of CA$ the sign alone.
        signs |= {re.sub("[A-Z]", "", sign) for sign in signs}
        units |= {code, *signs, *(get_currency_name(code, count, own) for count in (1, 2))}
    return tuple(sorted(units - {""}, key=lambda text: (-len(text), text)))


def _other_number(unit: str) -> set[str]:
    """What the singular or plural of a unit's first word can be: "seat" of "seats", "Platz" of "Plätze"."""
    noun, gap, rest = unit.partition(" ")
    pairs = [(ending, "") for ending in _ENDINGS] + [*_SWAPPED]
    forms = {
        noun.removesuffix(old) + new
        for pair in pairs
        for old, new in (pair, pair[::-1])
        # Of two letters only a plain plural: "kgs", but not "min" of "mi".
        if noun.isalpha() and noun.endswith(old) and len(noun) - len(old) >= (2 if "s" in pair else 3)
    }
    return {form + gap + rest for form in forms | {form.translate(_UMLAUTS) for form in forms}}


@functools.cache
def _code_of(sign: str) -> str | None:
    return next((code for code in sorted(list_currencies()) if get_currency_symbol(code, "en") == sign), None)


@functools.cache
def grouping_of(language: str) -> str:
    """The comma or dot between thousands, or ""."""
    sign = Locale.parse(language.replace("-", "_")).number_symbols["latn"]["group"]
    return sign if sign in (",", ".") else ""


def read_number(
    text: str, integer: bool = False, grouping: str = "", units: Iterable[str] = ()
) -> int | Decimal | None:
    """Parses a number, with one of the `units` before or after it; None if invalid or ambiguous.

    `1,500` is 1500 with `integer` or its sign as `grouping`, else ambiguous.
    """
    written = _figures(text, units)
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


def _figures(text: str, units: Iterable[str]) -> str:
    """The text without spaces and its unit."""
    written = _plain(text)
    sign = written[:1] if written[:1] in ("+", "-") else ""
    for unit in map(_plain, units):
        if written.endswith(unit) and unit[0] not in _NUMERIC:
            return written.removesuffix(unit)
        if written.startswith(sign + unit) and unit[-1] not in _NUMERIC:
            return sign + written.removeprefix(sign + unit)
    return written


def _plain(text: str) -> str:
    return _NO_CENTS.sub("", _FILLING.sub("", ascii_digits(text).translate(UNSEEN))).lower()
