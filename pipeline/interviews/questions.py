"""The question types: which fields each has, and which values of them fit together."""

from typing import Any

from pipeline.interviews.conditions import OTHER, SEVERAL
from pipeline.interviews.parts import CONDITION, KEY, Part
from pipeline.validation import (
    Boolean,
    Choice,
    Expression,
    Group,
    Integer,
    Listing,
    Number,
    Tagged,
    Text,
    Violations,
    WrittenDate,
    optional,
    required,
)
from pipeline.validation.dates import as_date
from pipeline.validation.formats import EMAIL_LENGTH, PHONE_LENGTH
from pipeline.validation.urls import URL_LENGTH

OPTION_LENGTH = 100
MAX_OPTIONS = 200
MAX_RANKED = 20
MAX_ROWS, MAX_COLUMNS = 30, 10
MAX_FILES, MAX_FILE_MIB = 5, 10
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

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
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

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        low, high = values.get("min"), values.get("max")
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class DateQuestion(Question):
    """A question for a day."""

    min = optional(WrittenDate(today=True))
    max = optional(WrittenDate(today=True))

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        low, high = as_date(values.get("min")), as_date(values.get("max"))
        if low is not None and high is not None and low > high:
            violations.add("min", "min_above_max", max="max")


class Scale(Question):
    """A question for a step of a scale."""

    min = optional(STEP)
    max = optional(STEP)
    min_label = optional(Text(100))
    max_label = optional(Text(100))

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        low, high = scale_bounds(values)
        if low >= high:
            violations.add("min", "min_above_max", f"Must be below the scale's max, {high}.")
        elif high - low > MAX_SCALE_STEPS:
            violations.add("max", "out_of_range", f"Must be at most {MAX_SCALE_STEPS} above min.")


class Option(Part):
    """An option of a choice."""

    value = required(Text(OPTION_LENGTH))
    label = required(Text(500))
    visible_if = optional(CONDITION)


class ExclusiveOption(Option):
    """An option of a multiple choice, which may stand alone."""

    exclusive = optional(Boolean())


class ChoiceQuestion(Question):
    """A question that is answered with its options."""

    options = required(Listing(Group(Option()), MAX_OPTIONS, min_items=1))
    allow_other = optional(Boolean())

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        tell_apart(values, "options", violations)
        for index, option in enumerate(values["options"]):
            if option["value"] == OTHER and values.get("allow_other"):
                violations.add(f"options.{index}.value", "reserved")


class SingleChoice(ChoiceQuestion):
    """A question for one option, as radio buttons or as a list to choose from."""

    display = optional(Choice("radio", "select"))


class MultiChoice(ChoiceQuestion):
    """A question for several options."""

    options = required(Listing(Group(ExclusiveOption()), MAX_OPTIONS, min_items=1))
    min_selected = optional(Integer(0, MAX_OPTIONS))
    max_selected = optional(Integer(1, MAX_OPTIONS + 1))

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        super().fit(values, violations)
        low, high = values.get("min_selected", 0), values.get("max_selected")
        offered = len(values["options"]) + values.get("allow_other", False)
        if high is not None and low > high:
            violations.add("min_selected", "min_above_max", max="max_selected")
        if low > offered:
            violations.add("min_selected", "out_of_range", f"Only {offered} options can be selected.")


class Ranking(Question):
    """A question for the order of its options, the best first."""

    options = required(Listing(Group(Option()), MAX_RANKED, min_items=2))
    min_ranked = optional(Integer(0, MAX_RANKED))

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        tell_apart(values, "options", violations)
        if values.get("min_ranked", 0) > len(values["options"]):
            violations.add("min_ranked", "out_of_range", f"Only {len(values['options'])} options can be ranked.")


class Label(Part):
    """A row or a column of a matrix."""

    value = required(Text(OPTION_LENGTH))
    label = required(Text(500))


class Matrix(Question):
    """A question that is answered row by row with one of the columns."""

    rows = required(Listing(Group(Label()), MAX_ROWS, min_items=1))
    columns = required(Listing(Group(Label()), MAX_COLUMNS, min_items=2))

    def fit(self, values: dict[str, Any], violations: Violations) -> None:
        tell_apart(values, "rows", violations)
        tell_apart(values, "columns", violations)


class FileQuestion(Question):
    """A question for files, which are uploaded one by one."""

    max_files = optional(Integer(1, MAX_FILES))
    max_size = optional(Integer(1, MAX_FILE_MIB))
    accept = optional(Listing(Choice(*ACCEPTED), len(ACCEPTED), unique=True, min_items=1))


QUESTION = Tagged(
    "Question",
    "type",
    {
        "short_text": ShortText(),
        "long_text": LongText(),
        "email": Typed(),
        "phone": Typed(),
        "url": Typed(),
        "number": NumberQuestion(),
        "date": DateQuestion(),
        "yes_no": Question(),
        "consent": Question(),
        "single_choice": SingleChoice(),
        "multi_choice": MultiChoice(),
        "scale": Scale(),
        "ranking": Ranking(),
        "matrix": Matrix(),
        "address": Question(),
        "file": FileQuestion(),
        "statement": Statement(),
    },
)
TYPES = tuple(QUESTION.forms)


def tell_apart(values: dict[str, Any], field: str, violations: Violations) -> None:
    """Note each of a question's options, rows or columns whose value an earlier one has."""
    seen: set[str] = set()
    for index, item in enumerate(values[field]):
        if item["value"] in seen:
            violations.add(f"{field}.{index}.value", "duplicate_option", f'"{item["value"]}" is there already.')
        seen.add(item["value"])


def extensions(question: dict) -> list[str]:
    """How the names of a file question's files may end."""
    return [extension for kind in question.get("accept") or ACCEPTED for extension in ACCEPTED[kind]]


def longest(question: dict) -> int:
    """The most characters that an answer to a text question may have."""
    default, _ = TEXT_LENGTHS[question["type"]]
    return int(question.get("max_length") or default)


def scale_bounds(question: dict) -> tuple[int, int]:
    """The lowest and highest step of a scale; 1 to 5 unless the question says otherwise."""
    return int(question.get("min", SCALE_MIN)), int(question.get("max", SCALE_MAX))
