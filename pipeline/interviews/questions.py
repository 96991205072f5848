"""Questions: the fields of those that are typed or ticked, and what all of them have as limits."""

import datetime

from pipeline.interviews.conditions import SEVERAL
from pipeline.interviews.parts import CONDITION, KEY, Part
from pipeline.validation import (
    Boolean,
    Expression,
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
# What a file may be, by the name for it; the name ends in one of these.
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

# Default and highest maximum length of an answer, by the type of its question.
TEXT_LENGTHS = {
    "short_text": (255, 1000),
    "long_text": (5000, 20000),
    "email": (EMAIL_LENGTH, EMAIL_LENGTH),
    "phone": (PHONE_LENGTH, PHONE_LENGTH),
    "url": (URL_LENGTH, URL_LENGTH),
}
OTHER_LENGTH = 255
CHOICES = ("single_choice", *SEVERAL)
STEP = Integer(-1000, 1000)


class Statement(Part):
    """Text that asks nothing."""

    key = required(KEY)
    label = required(Text(1000, lines=True))
    help = optional(Text(5000, lines=True))
    visible_if = optional(CONDITION)


class Question(Statement):
    """A question that is answered with a tick: yes or no, or a consent."""

    required = optional(Boolean())
    required_if = optional(CONDITION)


class Typed(Question):
    """A question whose answer is typed: an address of some kind."""

    placeholder = optional(Text(200))


class ShortText(Typed):
    """A question for a line of text."""

    min_length = optional(Integer(0, TEXT_LENGTHS["short_text"][1]))
    max_length = optional(Integer(1, TEXT_LENGTHS["short_text"][1]))
    pattern = optional(Expression())

    def fit(self, values: Values, violations: Violations) -> None:
        if values.get("min_length", 0) > longest(values):
            violations.add("min_length", "min_above_max", max="max_length")


class LongText(ShortText):
    """A question for a text of several lines."""

    min_length = optional(Integer(0, TEXT_LENGTHS["long_text"][1]))
    max_length = optional(Integer(1, TEXT_LENGTHS["long_text"][1]))


class NumberQuestion(Typed):
    """A question for a number."""

    integer = optional(Boolean())
    min = optional(Number())
    max = optional(Number())
    unit = optional(Text(20))

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = values.get("min"), values.get("max")
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class DateQuestion(Question):
    """A question for a day."""

    min = optional(WrittenDate(today=True))
    max = optional(WrittenDate(today=True))

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = as_date(values.get("min")), as_date(values.get("max"))
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class Scale(Question):
    """A question for a step of a scale."""

    min = optional(STEP)
    max = optional(STEP)
    min_label = optional(Text(100))
    max_label = optional(Text(100))

    def fit(self, values: Values, violations: Violations) -> None:
        low, high = scale_bounds(values)
        if low >= high:
            violations.add("min", "min_above_max", f"Must be below the scale's max, {high}.")
        elif high - low > MAX_SCALE_STEPS:
            violations.add("max", "out_of_range", f"Must be at most {MAX_SCALE_STEPS} above min.")


def extensions(question: Values) -> list[str]:
    """How the names of a file question's files may end."""
    return [extension for kind in question.get("accept") or ACCEPTED for extension in ACCEPTED[kind]]


def longest(question: Values) -> int:
    """The most characters that an answer to a text question may have."""
    default, _ = TEXT_LENGTHS[question["type"]]
    return int(question.get("max_length") or default)


def date_bounds(question: Values, today: datetime.date) -> tuple[datetime.date | None, datetime.date | None]:
    """The first and the last day that a date question takes, None where it sets no bound."""
    first, last = (today if bound == TODAY else as_date(bound) for bound in (question.get("min"), question.get("max")))
    return first, last


def scale_bounds(question: Values) -> tuple[int, int]:
    """The lowest and highest step of a scale; 1 to 5 unless the question says otherwise."""
    return int(question.get("min", SCALE_MIN)), int(question.get("max", SCALE_MAX))
