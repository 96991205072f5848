"""Page texts, a JSON file for each language, else English; the script gets `js.` keys and FOUND_BY_MODULE."""

import datetime
import functools
import json
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal

from pipeline.interviews.answer_shapes import COUNTRIES

FOLDER = Path(__file__).parent / "texts"
DEFAULT = "en"
FOR_MODULE = "js."
FOUND_BY_MODULE = ("not_a_number", "not_an_integer", "ambiguous_number", "too_long")
# Words of answers in texts.
IN_TEXTS = ("question.yes", "question.no", "question.other", "list.separator")
# Later days do not exist in every time zone.
LAST_DAY = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC)


class Texts:
    """`texts("error.at_least", min=3)` returns a sentence."""

    def __init__(self, language: str, words: dict[str, str]) -> None:
        self.language = language
        self.words = words
        self.direction = words["language.dir"]
        self.for_module = {
            key.removeprefix(FOR_MODULE): text for key, text in words.items() if key.startswith(FOR_MODULE)
        } | {
            **{code: words[f"error.{code}"] for code in FOUND_BY_MODULE},
            **{key.partition(".")[2]: words[key] for key in IN_TEXTS},
        }

    def __call__(self, key: str, /, **values: object) -> str:
        return self.words[key].format(**values) if values else self.words[key]

    def date(self, day: datetime.date) -> str:
        return format_date(day, "long", locale=self.language)

    def timestamp(self, moment: str, time_zone: str) -> str:
        """The localized date."""
        return self.date(_local(moment, time_zone))

    def moment(self, moment: str, time_zone: str) -> str:
        local = _local(moment, time_zone)
        return f"{self.date(local)}, {format_time(local, 'short', locale=self.language)}"

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
    return {language: Texts(language, {**read[DEFAULT], **words}) for language, words in read.items()}


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
