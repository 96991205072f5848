"""Types of saved answers, which may be unfinished."""

from babel import Locale

from pipeline.interviews.templates.conditions import OTHER_SUFFIX, SEVERAL, every_value
from pipeline.interviews.templates.questions import (
    CHOICES,
    MOST_POINTS,
    OTHER_LENGTH,
    TEXT_LENGTHS,
    characters,
    longest,
)
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Group,
    Integer,
    Number,
    Text,
    Type,
    Values,
    Violations,
    optional,
    refuse,
)
from pipeline.validation.types import composed
from pipeline.validation.violations import Invalid, step

# CLDR codes that are not in ISO 3166; Kosovo (XK) stays allowed.
NO_COUNTRY = {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"}
COUNTRIES = tuple(sorted({code for code in map(str, Locale("en").territories) if len(code) == 2} - NO_COUNTRY))
ADDRESS_REQUIRED = ("street", "city", "country")


class Typed(Text):
    """A text as typed, also with line ends, of so many characters that a person sees."""

    def __init__(self, most: int) -> None:
        super().__init__(most * MOST_POINTS, trim=False, lines=True)
        self.most = most

    def read(self, given: object) -> str | None:
        text = super().read(given)
        if text and characters(text) > self.most:
            refuse("too_long", most=self.most, of="characters")
        return text


class Address(Body):
    """A postal address, possibly incomplete."""

    sparse = True
    street = optional(Typed(255))
    city = optional(Typed(100))
    region = optional(Typed(100))
    postal_code = optional(Typed(20))
    country = optional(Choice(*COUNTRIES))


class OptionValue(Type):
    """An option value, or a list of several."""

    def __init__(self, question: Values) -> None:
        self.values, self.several = every_value(question), question["type"] in SEVERAL

    def read(self, given: object) -> object:
        picked = given if self.several else [given]
        if not isinstance(picked, list):
            refuse("wrong_type", wanted="an array of option values")
        if not all(isinstance(value, str) for value in picked):
            refuse("wrong_type", wanted="an option value, a string")
        chosen = composed(picked)
        unknown = next((value for value in chosen if value not in self.values), None)
        if unknown is not None:
            refuse("invalid_choice", f'"{unknown[:80]}" is not an option of this question.')
        if len({*chosen}) < len(chosen):
            refuse("duplicate_option", "Must name each option at most once.")
        return chosen if self.several else chosen[0]


class Cells(Type):
    """`{row value: column value}` of a matrix; null clears a row."""

    def __init__(self, question: Values) -> None:
        self.rows = {row["value"] for row in question["rows"]}
        self.column = Choice(*(column["value"] for column in question["columns"]))

    def read(self, given: object) -> object:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object of row values and column values")
        violations, cells = Violations(), {}
        for name, value in composed(given).items():
            if name not in self.rows:
                violations.add(step(name), "invalid_choice", "Is no row of this question.")
            cells[name] = violations.check(step(name), self.column.load, value)
        if violations:
            raise Invalid(violations)
        return cells


OTHER = Typed(OTHER_LENGTH)


class Uploaded(Type):
    """Always refused: files have their own endpoints."""

    def read(self, given: object) -> object:
        refuse("uploaded_only")


PLAIN: dict[str, Type] = {
    "date": Typed(10),
    "yes_no": Boolean(),
    "consent": Boolean(),
    "scale": Integer(-(10**15), 10**15),
    "number": Number(),
    "address": Group(Address()),
    "file": Uploaded(),
}


def shape_of(by_key: dict[str, Values], key: str) -> Type | None:
    """Returns the type of a saved answer; None for an unknown key."""
    question = by_key.get(key)
    if question is None:
        owner = by_key.get(key.removesuffix(OTHER_SUFFIX)) if key.endswith(OTHER_SUFFIX) else None
        return OTHER if owner and owner.get("allow_other") else None
    kind = question["type"]
    if kind in TEXT_LENGTHS:
        return Typed(longest(question))
    if kind in CHOICES:
        return OptionValue(question)
    return Cells(question) if kind == "matrix" else PLAIN[kind]
