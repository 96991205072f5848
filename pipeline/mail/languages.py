"""The languages of emails."""

import datetime
import json
from collections.abc import Mapping
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

DEFAULT = "en"
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).with_name("texts").glob("*.json")}


def language_of(locale: str) -> str:
    """The language of a locale (`de-AT`), else English."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in WORDS else DEFAULT


def plural(language: str, forms: Mapping[str, str], count: int) -> str:
    """The text from {CLDR plural category: text} for a count."""
    return forms.get(Locale(language).plural_form(count), forms["other"]).format(count=count)


def moment(local: datetime.datetime, time_zone: str, locale: str) -> str:
    """A naive local time in words, with its time zone; English without texts."""
    try:
        known = Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        known = Locale(DEFAULT)
    if known.language not in WORDS:
        known = Locale(DEFAULT)
    day, clock = format_date(local, "full", locale=known), format_time(local, "short", locale=known)
    return f"{day}, {clock} ({time_zone.replace('_', ' ')})"
