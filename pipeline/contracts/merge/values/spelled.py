"""Numbers and amounts in words, as contracts repeat them."""

import re
from decimal import Decimal

from babel import Locale
from babel.numbers import get_currency_name
from num2words import num2words

# {language: what joins whole units and their parts}; the languages of the product.
JOINS = {"en": " and ", "de": " ", "fr": " et ", "es": " con ", "it": " e ", "nl": " en ", "ar": " و"}
# {language: (pattern, replacement)}: one before a noun.
BEFORE_NOUN = {
    "de": [(r"eins$", "ein")],
    "es": [(r"veintiuno$", "veintiún"), (r"uno$", "un")],
    "it": [(r"^uno$", "un")],
}
# Words that num2words leaves in full.
MENDED = {"es": [(r"veintiuno(?= mil)", "veintiún"), (r"uno(?= mil)", "un")], "en": [(",", "")]}


def number(value: Decimal, locale: Locale) -> str | None:
    """A number in words; None in a language without them."""
    if locale.language not in JOINS:
        return None
    exact = int(value) if value == value.to_integral_value() else value.normalize()
    return _replaced(num2words(exact, lang=locale.language), MENDED.get(locale.language, []))


def money(value: Decimal, places: int, currency: str, locale: Locale) -> str | None:
    """Whole units in words, their parts as a fraction: `one thousand and 50/100 euros`; None as `number`."""
    whole = int(value)
    words = number(Decimal(abs(whole)), locale)
    if words is None:
        return None
    parts = int(abs(value - whole).scaleb(places))
    fraction = f"{JOINS[locale.language]}{parts:0{places}}/{10**places}" if places else ""
    noun = get_currency_name(currency, count=whole, locale=locale)
    minus = f"{num2words(-1, lang=locale.language).split()[0]} " if value < 0 else ""
    return f"{minus}{_replaced(words, BEFORE_NOUN.get(locale.language, []))}{fraction} {noun}"


def _replaced(text: str, pairs: list[tuple[str, str]]) -> str:
    for pattern, replacement in pairs:
        text = re.sub(pattern, replacement, text)
    return text
