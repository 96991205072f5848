"""Typed and ticked question types, and common limits."""

import datetime

import regex

from pipeline.interviews.templates.conditions import SEVERAL
from pipeline.interviews.templates.parts import CONDITION, KEY, Part, Value
from pipeline.validation import (
    Boolean,
    Expression,
    Group,
    Integer,
    Number,
    Text,
    Values,
    Violations,
    WrittenDate,
    optional,
    required,
)
from pipeline.validation.dates import TODAY, as_date
from pipeline.validation.emails import EMAIL_LENGTH
from pipeline.validation.formats import PHONE_LENGTH
from pipeline.validation.urls import URL_LENGTH

MAX_FILE_MIB = 10
# {file type: file name extensions}
ACCEPTED = {
    "pdf": ("pdf",),
    "png": ("png",),
    "jpeg": ("jpg", "jpeg"),
    "docx": ("docx",),
    "xlsx": ("xlsx",),
    "csv": ("csv",),
    "txt": ("txt",),
}
MAX_SCALE_STEPS = 100
SCALE_MIN, SCALE_MAX = 1, 5
# The organization's today can be a day away from the visitor's.
TODAY_LEEWAY, NO_LEEWAY = datetime.timedelta(days=1), datetime.timedelta()

# (default, largest) `max_length` of an answer, by question type.
TEXT_LENGTHS = {
    "short_text": (255, 1000),
    "long_text": (5000, 20000),
    "email": (EMAIL_LENGTH, EMAIL_LENGTH),
    "phone": (PHONE_LENGTH, PHONE_LENGTH),
    "url": (URL_LENGTH, URL_LENGTH),
}
OTHER_LENGTH = 255
# Code points that one character may have on average; an emoji of a family has seven.
MOST_POINTS = 10
_CHARACTER = regex.compile(r"\X")
CHOICES = ("single_choice", *SEVERAL)
STEP = Integer(-1000, 1000)


class Statement(Part):
    """A text without an answer."""

    key = required(KEY)
    label = required(Text(1000, lines=True))
    help = optional(Text(5000, lines=True), description="A hint beside the question.")
    visible_if = optional(CONDITION)


class Messages(Part):
    """Own error messages of the pages."""

    required = optional(Text(300))


class PatternMessages(Messages):
    """Messages of a text."""

    pattern = optional(Text(300))


class Question(Statement):
    """A consent, or the base of others."""

    required = optional(Boolean())
    required_if = optional(CONDITION, description="The condition that makes an answer required.")
    messages = optional(
        Group(Messages()),
        description="Your own sentences for a missing answer (`required`) and for a text of another form (`pattern`).",
    )


class Answered(Question):
    """A question that can have a default; `structure` checks it like an answer."""

    default = optional(
        Value(), description='A valid answer, or "today" for a date, shown until the prospect saves an answer.'
    )


class Typed(Answered):
    """A typed answer."""

    placeholder = optional(Text(200), description="The text in an empty field.")


class ShortText(Typed):
    """One line of text."""

    min_length = optional(Integer(0, TEXT_LENGTHS["short_text"][1]), description="The minimum number of characters.")
    max_length = optional(Integer(1, TEXT_LENGTHS["short_text"][1]), description="The maximum number of characters.")
    pattern = optional(Expression())
    messages = optional(
        Group(PatternMessages()),
        description="Your own sentences for a missing answer (`required`) and for a text of another form (`pattern`).",
    )

    def fit(self, values: Values, violations: Violations) -> None:
        if values.get("min_length", 0) > longest(values):
            violations.add("min_length", "min_above_max", max="max_length")


class LongText(ShortText):
    """Several lines of text."""

    min_length = optional(Integer(0, TEXT_LENGTHS["long_text"][1]), description="The minimum number of characters.")
    max_length = optional(Integer(1, TEXT_LENGTHS["long_text"][1]), description="The maximum number of characters.")


class NumberQuestion(Typed):
    """A number."""

    integer = optional(Boolean(), description="Whether the number must be an integer.")
    min = optional(Number())
    max = optional(Number())
    unit = optional(Text(20), description="The unit of the number.")

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = values.get("min"), values.get("max")
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class DateQuestion(Answered):
    """A date."""

    min = optional(WrittenDate(today=True))
    max = optional(WrittenDate(today=True))

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = as_date(values.get("min")), as_date(values.get("max"))
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class Scale(Answered):
    """A step on a scale."""

    min = optional(STEP)
    max = optional(STEP)
    min_label = optional(Text(100), description="The label of the lowest value.")
    max_label = optional(Text(100), description="The label of the highest value.")

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = scale_bounds(values)
        if low >= high:
            violations.add("min", "min_above_max", f"Must be below the scale's max, {high}.")
        elif high - low > MAX_SCALE_STEPS:
            violations.add("max", "out_of_range", f"Must be at most {MAX_SCALE_STEPS} above min.")


def extensions(question: Values) -> list[str]:
    return [extension for kind in question.get("accept") or ACCEPTED for extension in ACCEPTED[kind]]


def characters(text: str) -> int:
    """How many characters a person sees; an emoji with a skin tone is one."""
    return len(text) if text.isascii() else sum(1 for _ in _CHARACTER.finditer(text))


def longest(question: Values) -> int:
    """Returns a text answer's maximum length."""
    default, _ = TEXT_LENGTHS[question["type"]]
    return int(question.get("max_length") or default)


def date_bounds(
    question: Values, today: datetime.date, leeway: datetime.timedelta = NO_LEEWAY
) -> tuple[datetime.date | None, datetime.date | None]:
    """Returns (first, last), by `leeway` wider than `today`; None means no bound."""
    low, high = question.get("min"), question.get("max")
    return today - leeway if low == TODAY else as_date(low), today + leeway if high == TODAY else as_date(high)


def scale_bounds(question: Values) -> tuple[int, int]:
    """Returns (lowest, highest) step."""
    return int(question.get("min", SCALE_MIN)), int(question.get("max", SCALE_MAX))
