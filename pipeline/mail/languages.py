"""The languages that emails are written in: each that has its words in a file of texts/."""

import json
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

DEFAULT = "en"
# {language: {kind of text: {key: text}}}
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).with_name("texts").glob("*.json")}


def language_of(locale):
    """The language (str) that texts are in for a locale such as `de-AT`; English for one that nobody has translated."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in WORDS else DEFAULT


def direction_of(language):
    """`rtl` or `ltr`."""
    return Locale(language).text_direction


def plural(language, forms, count):
    """The text for a number, with `{count}` filled in, out of {CLDR plural category: text}; `other` is always there."""
    return forms.get(Locale(language).plural_form(count), forms["other"]).format(count=count)


def moment(local, time_zone, locale):
    """A local time (naive datetime) as the locale writes it, with the name of its time zone.

    A locale in whose language there are no texts, or that is none, has English dates: a sentence is in one language.
    """
    try:
        known = Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        known = Locale(DEFAULT)
    if known.language not in WORDS:
        known = Locale(DEFAULT)
    day, clock = format_date(local, "full", locale=known), format_time(local, "short", locale=known)
    return f"{day}, {clock} ({time_zone.replace('_', ' ')})"
