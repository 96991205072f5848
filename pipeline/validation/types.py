"""The plain types: what a client sends is exactly what the declaration says, or a named violation; nothing is coerced.

JSON arrives with integers as int and every other number as Decimal (see `ingress.parse_json`).
"""

import re
from collections.abc import Callable, Collection
from typing import Any

from pipeline.validation.texts import UNPRINTABLE, UNSTORABLE, composed, is_visible
from pipeline.validation.violations import refuse

# A JSON Schema, and what a body or query was read into: each field by its name.
Schema = dict[str, Any]
Values = dict[str, Any]


class Type:
    """What can be sent in one place: `load` gives its value, None for what counts as absent, or raises Invalid."""

    def load(self, given: Any) -> Any:
        """The value of what was sent; null is absent, everything else goes to `read`."""
        return None if given is None else self.read(given)

    def read(self, given: Any) -> Any:
        """The value of what was sent, which is not null."""
        raise NotImplementedError

    def describe(self) -> Schema:
        """The JSON Schema of what can be sent."""
        raise NotImplementedError

    def collect(self, schemas: dict[str, Schema]) -> None:
        """Add the schemas that `describe` refers to by name, however deep."""


class Written(Type):
    """Base of what is written as a string: empty counts as absent, too."""

    def load(self, given: Any) -> Any:
        return None if given is None or given == "" else self.read(given)


class Text(Type):
    """A string: NFC-normalised, trimmed; empty counts as absent, as does what nobody can see.

    It is a single line, without control characters, unless `lines` says otherwise. `pattern` must match all of it;
    `hint` says what it asks for.
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
        # Most texts are plain ASCII on one line: nothing is invisible or unstorable in them.
        if not (text.isascii() and text.isprintable()):
            if self.trim and not is_visible(text):
                return None
            if UNSTORABLE.search(text):
                refuse("invalid_characters")
            if not self.lines and UNPRINTABLE.search(text):
                refuse("invalid_characters", "Must not hold line breaks, control characters or controls of direction.")
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


class Formed(Text):
    """A text of a form that has a name and a check of its own (see formats.py)."""

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
    """true or false, nothing else."""

    def read(self, given: Any) -> bool:
        if not isinstance(given, bool):
            refuse("wrong_type", wanted="true or false")
        return given

    def describe(self) -> Schema:
        return {"type": "boolean"}


class Json(Type):
    """Any JSON object, every string in it NFC-normalised. Its content has a check of its own."""

    def read(self, given: Any) -> Any:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        return composed(given)

    def describe(self) -> Schema:
        return {"type": "object"}


def enumerated(values: Collection[str]) -> str:
    """The values for a message; long lists are cut."""
    shown = ", ".join(value[:40] for value in list(values)[:15])
    return f"{shown}, …" if len(values) > 15 else shown
