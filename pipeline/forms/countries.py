"""What people call countries: names in all languages of the pages, codes, and further names.

Names are CLDR's (Babel); `country_names.json` has what people write instead of them.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from babel import Locale
from babel.core import get_global

from pipeline.interviews.answer_shapes import COUNTRIES

FURTHER_NAMES: dict[str, list[str]] = json.loads(Path(__file__).with_name("country_names.json").read_text("utf-8"))


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
    for code, further in FURTHER_NAMES.items():
        names[code].update(dict.fromkeys(further))
    return {code: list(known) for code, known in names.items()}


def countries_module(languages: Iterable[str]) -> bytes:
    """The script `countries.js`, which the searchable list of countries imports."""
    names = {code: "|".join(known) for code, known in country_names(languages).items()}
    return f"export const names = {json.dumps(names, ensure_ascii=False, separators=(',', ':'))};\n".encode()
