"""Page texts, a JSON file for each language, else English; the script gets `js.` keys and FOUND_BY_MODULE."""

import copy
import datetime
import functools
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from pipeline.interviews.templates.answer_shapes import COUNTRIES
from pipeline.mail.languages import dates_of

FOLDER = Path(__file__).parent / "texts"
DEFAULT = "en"
FOR_MODULE = "js."
FOUND_BY_MODULE = ("not_a_number", "not_an_integer", "ambiguous_number", "too_long")
# Words of answers in texts.
IN_TEXTS = ("question.yes", "question.no", "question.other", "list.separator")
# Later days do not exist in every time zone.
LAST_DAY = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC)


# Numbers that a text counts.
COUNTED = re.compile(r"{(max_length|min_length|max_files|min_ranked|min_selected|max_selected|minutes|left)}")


class Texts:
    """`texts("error.at_least", min=3)` returns a sentence."""

    def __init__(self, language: str, words: dict[str, str]) -> None:
        self.language = language
        self.dates = Locale.parse(language)
        self.words = words
        self.direction = words["language.dir"]
        # {key: counted number's name}
        keys = {key.partition("#")[0] for key in words if "#" in key}
        self.counted = {key: found[1] for key in keys if (found := COUNTED.search(words[key]))}
        self.for_module = {
            key.removeprefix(FOR_MODULE): text for key, text in words.items() if key.startswith(FOR_MODULE)
        } | {
            **{
                key.removeprefix("error."): text
                for key, text in words.items()
                if key.partition("#")[0] in {f"error.{code}" for code in FOUND_BY_MODULE}
            },
            **{key.partition(".")[2]: words[key] for key in IN_TEXTS},
        }

    def __call__(self, key: str, /, **values: object) -> str:
        return self.sentence(key, values).format(**values) if values else self.words[key]

    def html(self, key: str, /, **values: object) -> Markup:
        """As HTML, each text of the values isolated: a name or number may run in another direction."""
        apart = {
            name: Markup("<bdi>{}</bdi>").format(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return escape(self.sentence(key, values)).format(**apart)

    def sentence(self, key: str, values: Mapping[str, object]) -> str:
        """The text for its counted number by CLDR's plural rules: `key#one`, `key#two`, …, else the key's own."""
        counted = self.counted.get(key)
        number = values.get(counted) if counted else None
        if not isinstance(number, (int, float, Decimal)):
            return self.words[key]
        return self.words.get(f"{key}#{self.plural(number)}", self.words[key])

    @functools.cached_property
    def plural(self) -> Callable[[float | Decimal], str]:
        """CLDR's plural category of a number."""
        return Locale.parse(self.language).plural_form

    def dated(self, region: str | None) -> "Texts":
        """The same texts, with dates by a country."""
        texts = copy.copy(self)
        texts.dates = dates_of(self.language, region)
        return texts

    def date(self, day: datetime.date) -> str:
        return format_date(day, "long", locale=self.dates)

    def timestamp(self, moment: str, time_zone: str) -> str:
        """The localized date."""
        return self.date(_local(moment, time_zone))

    def moment(self, moment: str, time_zone: str) -> str:
        local = _local(moment, time_zone)
        return f"{self.date(local)}, {format_time(local, 'short', locale=self.dates)}"

    @functools.cached_property
    def countries(self) -> dict[str, str]:
        """{code: name}, sorted by name."""
        names = Locale.parse(self.language).territories
        return dict(sorted(((code, names[code]) for code in COUNTRIES), key=lambda country: collated(country[1])))

    def number(self, number: int | float | Decimal) -> str:
        """A localized number with all digits."""
        return format_decimal(number, locale=self.language, decimal_quantization=False)


def _local(moment: str, time_zone: str) -> datetime.datetime:
    return min(datetime.datetime.fromisoformat(moment), LAST_DAY).astimezone(ZoneInfo(time_zone))


def collated(name: str) -> str:
    """A sort key without case and accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign)).casefold()


def load(*folders: Path) -> dict[str, Texts]:
    """{language: Texts}; later folders add texts and replace them."""
    read: dict[str, dict[str, str]] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        read.setdefault(path.stem, {}).update(json.loads(path.read_text("utf-8")))
    return {language: Texts(language, {**_default(read[DEFAULT], words), **words}) for language, words in read.items()}


def _default(own: dict[str, str], words: dict[str, str]) -> dict[str, str]:
    """The default's texts, without plural forms of what another language says itself."""
    return {key: text for key, text in own.items() if key.partition("#")[0] not in words}


CATALOGUES = load(FOLDER)


def texts_for(*languages: str | None, catalogues: Mapping[str, Texts] = CATALOGUES) -> Texts:
    """The Texts of the first translated tag (`de`, `de-AT`), else English."""
    tags = [(language or "").lower().replace("_", "-") for language in languages]
    known = (catalogues.get(tag) or catalogues.get(tag.partition("-")[0]) for tag in tags)
    return next(filter(None, known), catalogues[DEFAULT])


class FormLanguage(NamedTuple):
    """A language of a form."""

    tag: str
    name: str
    direction: str


@functools.cache
def form_language(language: str) -> FormLanguage:
    """The FormLanguage of a locale."""
    locale = Locale.parse(language.replace("-", "_"))
    name = locale.get_display_name(locale) or language
    return FormLanguage(language.replace("_", "-"), name[0].upper() + name[1:], locale.text_direction)
