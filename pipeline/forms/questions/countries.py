"""What people call countries: names in all languages of the pages and in their own, codes, and further names.

Names are CLDR's (Babel); `country_names.json` has what people write instead of them.
"""

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel import Locale
from babel.core import UnknownLocaleError, get_global
from babel.languages import get_official_languages

from pipeline.interviews.templates.answer_shapes import COUNTRIES

FURTHER_NAMES: dict[str, list[str]] = json.loads(Path(__file__).with_name("country_names.json").read_text("utf-8"))
# People type these for other signs: Trinidad and Tobago, Saint Lucia, Oesterreich.
_TYPED = {"&": "and", "St.": "Saint", "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Å": "Aa"}


def country_names(languages: Iterable[str]) -> dict[str, list[str]]:
    """{code: codes and names of the country, each once}."""
    names = {code: {code: None} for code in COUNTRIES}
    for alias, codes in get_global("territory_aliases").items():
        if alias.isalpha() and len(codes) == 1 and codes[0] in names:
            names[codes[0]][alias] = None
    for language in languages:
        territories = Locale.parse(language).territories
        for code in COUNTRIES:
            names[code][territories[code]] = None
    for code in COUNTRIES:
        names[code].update(dict.fromkeys(_own_names(code)))
        names[code].update(dict.fromkeys(FURTHER_NAMES.get(code, ())))
        names[code].update(dict.fromkeys(map(_typed, tuple(names[code]))))
    return {code: list(known) for code, known in names.items()}


def _own_names(code: str) -> Iterator[str]:
    """The names of a country in its own languages."""
    for language in get_official_languages(code, de_facto=True):
        with contextlib.suppress(UnknownLocaleError):
            yield Locale.parse(language).territories.get(code, code)


def _typed(name: str) -> str:
    for sign, typed in _TYPED.items():
        name = name.replace(sign, typed)
    return name


def countries_module(languages: Iterable[str]) -> bytes:
    """The script `countries.js`, which the searchable list of countries imports."""
    names = {code: "|".join(known) for code, known in country_names(languages).items()}
    return f"export const names = {json.dumps(names, ensure_ascii=False, separators=(',', ':'))};\n".encode()
