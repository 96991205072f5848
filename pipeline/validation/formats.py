"""Types of formatted texts: URLs, phones, currencies, locales, colours, slugs, tags, patterns."""

import re
from typing import Any

import babel
import re2

from pipeline.validation.colors import COLOR
from pipeline.validation.currencies import CURRENCIES
from pipeline.validation.types import CheckedText, Text
from pipeline.validation.urls import URL_LENGTH, is_url
from pipeline.validation.violations import refuse

PHONE_LENGTH = 40
SLUG_LENGTH = 80
# E.164 allows at most fifteen digits; national notations differ.
_PHONE = re.compile(r"\+?[0-9(][0-9 ().\-/]{4,}( ?(x|ext\.?) ?[0-9]{1,6})?", re.IGNORECASE)
_RE2 = re2.Options()
_RE2.log_errors = False
_RE2.max_mem = 1 << 20


class Url(CheckedText):
    """An absolute http or https URL."""

    longest, code, format, wanted = URL_LENGTH, "invalid_url", "uri", "an http or https URL"

    @staticmethod
    def is_right(text: str) -> bool:
        return is_url(text)


class HttpsUrl(Url):
    """An absolute https URL."""

    wanted = "an https URL whose host has a dot, such as https://www.example.com/thanks"

    @staticmethod
    def is_right(text: str) -> bool:
        return is_url(text, ("https",))


class Website(CheckedText):
    """An http or https URL, or a host name."""

    code, wanted = "invalid_url", "an http or https URL, or a host name such as www.example.com"

    @staticmethod
    def is_right(text: str) -> bool:
        return is_url(text) or is_url(f"https://{text}")


class Phone(CheckedText):
    """A phone number of 6 to 15 digits, plus extension."""

    longest, code = PHONE_LENGTH, "invalid_phone"

    @staticmethod
    def is_right(text: str) -> bool:
        number = re.split("[xe]", text, maxsplit=1, flags=re.IGNORECASE)[0]
        return bool(_PHONE.fullmatch(text)) and 6 <= sum(map(str.isdigit, number)) <= 15


class Currency(CheckedText):
    """An ISO 4217 code in use."""

    longest, code = 3, "unknown_currency"
    is_right = staticmethod(CURRENCIES.__contains__)


class Locale(CheckedText):
    """A locale such as de-CH."""

    longest, code = 35, "unknown_locale"

    @staticmethod
    def is_right(text: str) -> bool:
        try:
            return bool(babel.Locale.parse(text.replace("-", "_")))
        except (ValueError, babel.UnknownLocaleError):
            return False


class Color(Text):
    """A colour `#rrggbb`."""

    def __init__(self) -> None:
        super().__init__(7, pattern=COLOR, hint="Must be a colour such as #1d4ed8.")


class Slug(Text):
    """Lower-case words joined by single hyphens or `joints`; `of`: the kind of record with unique slugs."""

    taken = "slug_taken"

    def __init__(self, of: str | None = None, joints: str = "-", named: str = "hyphens") -> None:
        self.of = of
        hint = f"Must be lower-case words joined by single {named}."
        super().__init__(SLUG_LENGTH, pattern=f"[a-z0-9]+([{joints}][a-z0-9]+)*", hint=hint)


class ExternalId(Text):
    """An id in another system; `of`: the kind of record with unique ones."""

    taken = "external_id_taken"

    def __init__(self, of: str) -> None:
        super().__init__()
        self.of = of


class Tags(Text):
    """Distinct tags, separated by commas or semicolons."""

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        tags = distinct_tags(text or "")
        if len(tags) > self.max_length:
            refuse("too_long", most=self.max_length, of="characters")
        return tags or None


class Expression(Text):
    """A regular expression in RE2 syntax."""

    def __init__(self) -> None:
        super().__init__(max_length=500, trim=False)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        if text is not None and compiled(text) is None:
            refuse("invalid_pattern")
        return text


def distinct_tags(text: str) -> str:
    """Returns distinct tags as stored: `warm, berlin`."""
    tags = (" ".join(tag.split()) for tag in re.split("[,;]", text))
    distinct: dict[str, str] = {}
    for tag in filter(None, tags):
        distinct.setdefault(tag.casefold(), tag)
    return ", ".join(distinct.values())


def compiled(expression: str) -> Any | None:
    """Returns the RE2 expression, or None if invalid."""
    try:
        return re2.compile(expression, _RE2)
    except re2.error:
        return None
