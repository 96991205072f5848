"""Readings of JSON values and of answers: what counts as a number, a date, empty, equal, well formed.

Nothing here coerces: "1" is no number, true is not 1. Whole numbers may be written with a point (1.0 is 1).
"""

import datetime
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal

from email_validator import EmailNotValidError, validate_email

from pipeline.urls import is_url

# Fifteen digits are what every double keeps, so the browser sees the same number as the server.
NUMBER_DIGITS = 15

EMAIL_LENGTH = 254
PHONE_LENGTH = 40
DATE_LENGTH = 10

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# National notations differ too much for more than this; E.164 allows at most fifteen digits.
PHONE = re.compile(r"\+?[0-9(][0-9 ().\-/]{4,}( ?(x|ext\.?) ?[0-9]{1,6})?", re.IGNORECASE)


def is_empty(answer: object) -> bool:
    """True for absent, null, "" and []. false and 0 are answers."""
    return answer is None or answer == "" or answer == []


def as_number(value: object) -> Decimal | None:
    """The exact value of a JSON number, None for anything else (booleans and non-finite numbers included)."""
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float):
        return as_number(Decimal(repr(value)))
    return None


def as_integer(value: object) -> int | None:
    """The integer that a JSON number denotes (1.0 is 1), None for anything else."""
    number = as_number(value)
    if number is None or not is_portable(number) or number != number.to_integral_value():
        return None
    return int(number)


def is_portable(number: Decimal) -> bool:
    """True when a number has at most fifteen digits near the decimal point: exact wherever it is read."""
    _, digits, exponent = number.as_tuple()
    if len(digits) > NUMBER_DIGITS * 2 or abs(exponent) > NUMBER_DIGITS * 2:
        return False
    significant = "".join(map(str, digits)).strip("0")
    return len(significant) <= NUMBER_DIGITS and (number.is_zero() or number.adjusted() < NUMBER_DIGITS)


def as_date(value: object) -> datetime.date | None:
    """The date that a `YYYY-MM-DD` string names, None for anything else (2026-02-30 included)."""
    if not isinstance(value, str) or not DATE.fullmatch(value):
        return None
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        return None


def same(left: object, right: object) -> bool:
    """Equality without coercion: numbers by value, strings and booleans each among themselves."""
    if isinstance(left, str) or isinstance(right, str):
        return isinstance(left, str) and isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    number = as_number(left)
    return number is not None and number == as_number(right)


def one_of(value: object, candidates: object) -> bool:
    """True when `candidates` is a list that holds an equal of `value`."""
    return isinstance(candidates, list) and any(same(value, candidate) for candidate in candidates)


def is_email(text: str) -> bool:
    """True for the form of an email address; no look-up is made."""
    try:
        # The TLD .test is let through: its form is right, and nothing here sends mail.
        validate_email(text, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return False
    return len(text) <= EMAIL_LENGTH


def is_phone(text: str) -> bool:
    """True for 6 to 15 digits in any usual notation, international or national; an extension may follow."""
    if not PHONE.fullmatch(text):
        return False
    number = re.split("[xe]", text, maxsplit=1, flags=re.IGNORECASE)[0]
    return 6 <= sum(character.isdigit() for character in number) <= 15


def is_storable(text: str) -> bool:
    """False for text with a NUL or a lone surrogate, which neither the database nor UTF-8 can hold."""
    return UNSTORABLE.search(text) is None


def normalised(value: object, trim: bool = True) -> object:
    """The same JSON value with every string in NFC, and without surrounding white space when `trim` is set.

    Nesting is followed as deep as the interpreter's stack allows; bodies are limited in depth before.
    """
    if isinstance(value, str):
        text = unicodedata.normalize("NFC", value)
        return text.strip() if trim else text
    if isinstance(value, list):
        return [normalised(item, trim) for item in value]
    if isinstance(value, dict):
        return {key: normalised(item, trim) for key, item in value.items()}
    return value


FORMATS: dict[str, Callable[[str], bool]] = {
    "email": is_email,
    "phone": is_phone,
    "url": is_url,
    "date": lambda text: as_date(text) is not None,
}
