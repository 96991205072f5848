"""Plain types, without coercion, and classes of Unicode; non-integers arrive as Decimal (see `bodies.parse_json`)."""

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Any

from pipeline.validation.violations import UNSTORABLE, refuse

# A JSON Schema; the values of a body or query by field.
Schema = dict[str, Any]
Values = dict[str, Any]

# Direction marks; in a name they also reorder the surrounding text.
DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Also control characters, line ends, and direction controls, which can disguise a name.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
DIRECTION_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Invisible characters of a name.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
# Selectors vary emoji, ideographs and Mongolian letters, and tags make flags: nobody sees them anywhere else.
_STRAY_SELECTOR = re.compile(
    "(?<![\xa9\xae\u1000-\u109f\u2010-\u9fff\uf900-\ufaff\U0001f000-\U0003ffff])[\ufe00-\ufe0f]+(?!\u20e3)"
    "|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]+"
    "|(?<![\u1800-\u180a\u1810-\u18af])[\u180b-\u180d\u180f]+"
    "|(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0000-\U000e007f]+"
)
# Joiners shape Persian, Indic and other letters, and emoji.
_STRAY_JOINER = re.compile(
    "(?<![\u0600-\u1cff\u2190-\u2bff\ua800-\uabff\ufe0f\U00010a00-\U0001ffff])[\u200c\u200d]+|\u200c+(?!\\S)"
)
# Unicode categories.
INVISIBLE = ("Zs", "Zl", "Zp", "Cc", "Cf")
# Letters and marks without a shape: fillers, variation selectors, the blank Braille pattern.
SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

# Full- and half-width forms, and the ligatures that PDF files are copied with.
_WIDE = re.compile("[\u3000\ufb00-\ufb06\uff01-\uffee]+")


class Type:
    """A type of value; `load` returns it or None, or raises Invalid."""

    def load(self, given: Any) -> Any:
        """Returns the value; null is absent."""
        return None if given is None else self.read(given)

    def read(self, given: Any) -> Any:
        """Returns the value; the input is not null."""
        raise NotImplementedError

    def describe(self) -> Schema:
        raise NotImplementedError

    def collect(self, schemas: dict[str, Schema]) -> None:
        """Adds the schemas that `describe` refers to."""


class Written(Type):
    """A string; "" counts as absent."""

    def load(self, given: Any) -> Any:
        return None if given is None or given == "" else self.read(given)


class Text(Type):
    """A string in NFC, trimmed; invisible text is absent.

    `lines` allows several lines; `hint` is `pattern`'s message.
    """

    format: str | None = None

    def __init__(
        self,
        max_length: int = 255,
        min_length: int = 1,
        pattern: str | None = None,
        hint: str | None = None,
        trim: bool = True,
        lines: bool = False,
    ) -> None:
        self.max_length, self.min_length, self.trim, self.lines = max_length, min_length, trim, lines
        self.pattern = re.compile(pattern) if pattern else None
        self.hint = hint

    def read(self, given: Any) -> str | None:
        if not isinstance(given, str):
            refuse("wrong_type", wanted="a string")
        text = composed(given, self.trim)
        # A fast path: printable ASCII needs none of these checks.
        if not (text.isascii() and text.isprintable()):
            if self.trim and not is_visible(text):
                return None
            if UNSTORABLE.search(text):
                refuse("invalid_characters")
            if not self.lines and UNPRINTABLE.search(text):
                refuse("invalid_characters", "Must not contain line breaks, control characters or direction controls.")
        if not text:
            return None
        if len(text) > self.max_length:
            refuse("too_long", most=self.max_length, of="characters")
        if len(text) < self.min_length:
            refuse("too_short", least=self.min_length)
        if self.pattern and not self.pattern.fullmatch(text):
            refuse("invalid_format", self.hint)
        return text

    def describe(self) -> Schema:
        described: Schema = {"type": "string", "maxLength": self.max_length}
        if self.format:
            described["format"] = self.format
        if self.min_length > 1:
            described["minLength"] = self.min_length
        return {**described, "pattern": f"^(?:{self.pattern.pattern})$"} if self.pattern else described


class CheckedText(Text):
    """A text with its own check and violation code."""

    longest = 255
    code = "invalid_format"
    wanted = ""
    is_right: Callable[[str], bool]

    def __init__(self) -> None:
        super().__init__(self.longest)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        if text is not None and not self.is_right(text):
            refuse(self.code, wanted=self.wanted)
        return text


class Name(Text):
    """A name, without characters that nobody sees: two names that look alike are one."""

    def read(self, given: Any) -> str | None:
        return super().read(without_unseen(given) if isinstance(given, str) else given)


class Choice(Text):
    """One of a fixed set of words."""

    def __init__(self, *values: str) -> None:
        super().__init__(max_length=1000)
        self.values = dict.fromkeys(values)

    def read(self, given: Any) -> str | None:
        text = super().read(given)
        if text is not None and text not in self.values:
            refuse("invalid_choice", choices=enumerated(self.values))
        return text

    def describe(self) -> Schema:
        return {"type": "string", "enum": list(self.values)}


class Boolean(Type):
    """true or false."""

    def read(self, given: Any) -> bool:
        if not isinstance(given, bool):
            refuse("wrong_type", wanted="true or false")
        return given

    def describe(self) -> Schema:
        return {"type": "boolean"}


class Json(Type):
    """Any JSON object."""

    def read(self, given: Any) -> Any:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        return composed(given)

    def describe(self) -> Schema:
        return {"type": "object"}


def enumerated(values: Collection[str]) -> str:
    """Returns the values for a message, cut if long."""
    shown = ", ".join(value[:40] for value in list(values)[:15])
    return f"{shown}, …" if len(values) > 15 else shown


def isolate_direction(text: str) -> str:
    """Returns a direction isolate without direction marks."""
    return f"\u2068{DIRECTION_MARKS.sub('', text)}\u2069"


def without_unseen(name: str) -> str:
    """Returns a name without the characters that nobody sees."""
    if name.isascii():
        return name
    for pattern in (_UNSEEN, _STRAY_SELECTOR, _STRAY_JOINER):
        name = pattern.sub("", name)
    return name


def is_visible(text: str) -> bool:
    """Returns whether a text has a visible character."""
    return any(unicodedata.category(sign) not in INVISIBLE for sign in SHAPELESS.sub("", text))


def narrow(text: str) -> str:
    """Returns the NFKC of full-width, half-width and joined signs; superscripts and other signs stay."""
    return text if text.isascii() else _WIDE.sub(lambda wide: unicodedata.normalize("NFKC", wide[0]), text)


def composed(value: Any, trim: bool = False) -> Any:
    """Returns JSON data with all strings in NFC."""
    if isinstance(value, str):
        text = value if value.isascii() else unicodedata.normalize("NFC", value)
        return text.strip() if trim else text
    if isinstance(value, list):
        return [composed(item, trim) for item in value]
    if isinstance(value, dict):
        return {composed(name): composed(item, trim) for name, item in value.items()}
    return value
