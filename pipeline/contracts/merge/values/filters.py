"""Filters of merge tags.

Without a filter, money has its currency's decimals and a date is `YYYY-MM-DD`.
"""

import copy
import datetime
import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency

from pipeline.contracts.merge.values import spelled
from pipeline.contracts.merge.values.labels import words_of
from pipeline.mail.languages import dates_of
from pipeline.validation.currencies import decimals

DATE_LENGTHS = ("short", "medium", "long", "full")
# Excludes "D" (day of the year) and "Y" (week year), easily confused with "d" and "y".
DATE_PATTERN = re.compile(r"(?=.*[dMyE])(d{1,2}|M{1,4}|y{4}|yy|E{1,4}|[ .,/–-]|'[^']*'|(?![a-zA-Z])\w)++")
DECIMALS = re.compile("[0-6]")
INTERVAL = re.compile(r"-?[0-9]{1,4} (?:days?|weeks?|months?|years?)")
# Babel sets no space between letters of a currency and a digit.
LETTER_BESIDE_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


class Style(NamedTuple):
    """Babel's locale, currency, `ltr` or `rtl`, locale of dates."""

    locale: Locale
    currency: str
    direction: str
    dates: Locale


class Filter(NamedTuple):
    """Accepted kinds, argument check with its hint, and (value, argument, style) -> text."""

    kinds: frozenset[str]
    argument: Callable[[str | None], bool]
    usage: str
    apply: Callable[[Any, str | None, Style], str] | None


def style_of(
    locale: str | None, currency: str | None, direction: str | None = None, region: str | None = None
) -> Style:
    """The Style of a locale such as `de-CH` (default English) and a currency.

    `region`, a country code, refines dates.
    """
    known, dates = dates_of(locale or "en", None), dates_of(locale or "en", region)
    return Style(known, currency or "USD", direction or known.text_direction, dates)


def country_name(country: str | None, locale: str | None) -> str | None:
    """The localized name of a country code (`DE`); other text stays."""
    return country and style_of(locale, None).locale.territories.get(country.strip(), country)


def typed(kind: str, value: object) -> Any:
    """A value as its kind's type, None if blank, empty or unreadable; zero is a value."""
    if value is None or value == [] or (isinstance(value, str) and not value.strip()):
        return None
    if kind == "date":
        return value if isinstance(value, datetime.date) else _date(value)
    if kind in ("money", "number"):
        return _number(value)
    return value


def plain(kind: str, value: Any, style: Style) -> str:
    if kind == "money":
        return f"{_in_units(value, style)[0]:f}"
    if kind == "number":
        return f"{value.normalize():f}"
    if kind == "date":
        return value.isoformat()[:10]
    if kind == "yes_no":
        return words_of(style.locale.language)["yes" if value else "no"]
    if kind == "list":
        return ", ".join(str(item) for item in value)
    return str(value)


def currency(value: Decimal, argument: str | None, style: Style) -> str:
    """Money with its currency; surplus decimals stay unless zero."""
    exact, places = _in_units(value, style)
    pattern = copy.copy(style.locale.currency_formats["standard"])
    pattern.frac_prec = (places, places)
    text = format_currency(exact, style.currency, pattern, locale=style.locale, currency_digits=False)
    return LETTER_BESIDE_DIGIT.sub("\u00a0", text)


def number(value: Decimal, argument: str | None, style: Style) -> str:
    """A localized number; `argument` is the number of decimals."""
    places = int(argument) if argument else max(0, -int(value.normalize().as_tuple().exponent))
    pattern = copy.copy(style.locale.decimal_formats[None])
    pattern.frac_prec = (places, places)
    return pattern.apply(value, style.locale)


def in_words(kind: str, value: Decimal, style: Style) -> str:
    """A number or an amount in words; in digits where the language has none."""
    if kind == "number":
        return spelled.number(value, style.locale) or number(value, None, style)
    exact, places = _in_units(value, style)
    return spelled.money(exact, places, style.currency, style.locale) or currency(value, None, style)


def date(value: datetime.date, argument: str | None, style: Style) -> str:
    """A date; `argument` is a length (default medium) or pattern."""
    return format_date(value, argument or "medium", locale=style.dates)


def plus(value: datetime.date, interval: str) -> datetime.date | None:
    """A date after an interval such as `6 months`, at most the last day of its month; None outside of the calendar."""
    count, unit = int(interval.split()[0]), interval.split()[1].removesuffix("s")
    try:
        if unit in ("day", "week"):
            return value + datetime.timedelta(days=count * (7 if unit == "week" else 1))
        years, month = divmod(value.month - 1 + count * (12 if unit == "year" else 1), 12)
        last = monthrange(value.year + years, month + 1)[1]
        return value.replace(year=value.year + years, month=month + 1, day=min(value.day, last))
    except (ValueError, OverflowError):
        return None


def inline(value: str, argument: str | None, style: Style) -> str:
    """The lines of a text, joined by commas."""
    separator = "، " if style.locale.language in ("ar", "fa", "ur") else ", "
    return separator.join(line.strip() for line in value.splitlines() if line.strip())


ANY = frozenset(["text", "money", "number", "date", "yes_no", "list", "block"])
FILTERS = {
    "currency": Filter(frozenset(["money"]), lambda it: it is None, "It takes no argument.", currency),
    "number": Filter(
        frozenset(["money", "number"]),
        lambda it: it is None or bool(DECIMALS.fullmatch(it)),
        'It takes the number of decimals, "0" to "6", or nothing.',
        number,
    ),
    "words": Filter(frozenset(["money", "number"]), lambda it: it is None, "It takes no argument.", None),
    "date": Filter(
        frozenset(["date"]),
        lambda it: it is None or it in DATE_LENGTHS or bool(DATE_PATTERN.fullmatch(it)),
        'It takes "short", "medium", "long", "full", or a pattern of d, M, y and E such as "d MMMM yyyy".',
        date,
    ),
    "plus": Filter(
        frozenset(["date"]),
        lambda it: bool(it and INTERVAL.fullmatch(it)),
        'It takes an interval: "30 days", "-2 weeks", "6 months", "1 year".',
        None,
    ),
    "upper": Filter(ANY - {"block"}, lambda it: it is None, "It takes no argument.", None),
    "lower": Filter(ANY - {"block"}, lambda it: it is None, "It takes no argument.", None),
    "inline": Filter(frozenset(["text"]), lambda it: it is None, "It takes no argument.", inline),
    "default": Filter(ANY, lambda it: it is not None, 'It takes a text: default: "to be agreed".', None),
}


def printed(kind: str, value: Any, filters: Iterable[tuple[str, str | None]], style: Style) -> str | None:
    """A typed value through its filters; None without value and default."""
    for name, argument in filters:
        if value is None:
            if name == "default":
                kind, value = "text", argument
        elif name == "plus" and kind == "date":
            value = plus(value, argument or "")
        elif name == "words" and kind in FILTERS[name].kinds:
            kind, value = "text", in_words(kind, value, style)
        elif name in ("upper", "lower"):
            text = plain(kind, value, style)
            kind, value = "text", text.upper() if name == "upper" else text.lower()
        elif (apply := FILTERS[name].apply) is not None and kind in FILTERS[name].kinds:
            argument = argument or (str(decimals(style.currency)) if (name, kind) == ("number", "money") else None)
            kind, value = "text", apply(value, argument, style)
    return None if value is None else plain(kind, value, style)


def _in_units(value: Decimal, style: Style) -> tuple[Decimal, int]:
    """(money, number of decimals), at least the currency's."""
    places = max(decimals(style.currency), -int(value.normalize().as_tuple().exponent))
    return value.quantize(Decimal(1).scaleb(-places)), places


def _number(value: object) -> Decimal | None:
    try:
        exact = Decimal(repr(value) if isinstance(value, float) else str(value))
    except InvalidOperation:
        return None
    return exact if exact.is_finite() and abs(exact.adjusted()) < 20 else None


def _date(value: object) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
