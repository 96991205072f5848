"""The languages of emails."""

import datetime
import json
from collections.abc import Mapping
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

DEFAULT = "en"
# First strong isolate, and its end.
FSI, PDI = "\u2068", "\u2069"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).with_name("texts").glob("*.json")}


def language_of(locale: str) -> str:
    """The language of a locale (`de-AT`), else English."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in WORDS else DEFAULT


def is_rtl(language: str) -> bool:
    """Whether a language is written from right to left."""
    return Locale(language).text_direction == "rtl"


def plural(language: str, forms: Mapping[str, str], count: int) -> str:
    """The text from {CLDR plural category: text} for a count."""
    return forms.get(Locale(language).plural_form(count), forms["other"]).format(count=count)


def dates_of(locale: str, region: str | None) -> Locale:
    """The Locale of dates: `region`, a country code, refines a language without one; English if unknown."""
    known = _locale(locale) or Locale(DEFAULT)
    if known.territory or not region:
        return known
    return _locale(f"{known}_{region.strip().upper()}") or known


def _locale(name: str) -> Locale | None:
    try:
        return Locale.parse(name.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


def moment(local: datetime.datetime, time_zone: str, locale: str, region: str | None = None) -> str:
    """A naive local time in words, with its time zone; English without texts."""
    known = dates_of(locale, region)
    if known.language not in WORDS:
        known = dates_of(DEFAULT, region)
    day, clock = format_date(local, "full", locale=known), format_time(local, "short", locale=known)
    return f"{day}, {clock} ({time_zone.replace('_', ' ')})"
