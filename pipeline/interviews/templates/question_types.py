"""The question types by name."""

from typing import Any

from pipeline.interviews.templates.conditions import OTHER
from pipeline.interviews.templates.parts import CONDITION, Part
from pipeline.interviews.templates.questions import (
    ACCEPTED,
    MAX_FILE_MIB,
    Answered,
    DateQuestion,
    LongText,
    NumberQuestion,
    Question,
    Scale,
    ShortText,
    Statement,
    Typed,
)
from pipeline.validation import (
    Boolean,
    Choice,
    Group,
    Integer,
    Listing,
    Tagged,
    Text,
    Values,
    Violations,
    optional,
    required,
)

OPTION_LENGTH = 100
MAX_OPTIONS, MAX_RANKED, MAX_FILES = 200, 20, 5
MAX_ROWS, MAX_COLUMNS = 30, 10


class Option(Part):
    """An option."""

    value = required(Text(OPTION_LENGTH))
    label = required(Text(500))
    visible_if = optional(CONDITION)


class ExclusiveOption(Option):
    """An option; with `exclusive` it excludes the others."""

    exclusive = optional(Boolean(), description="Whether this option excludes all others.")


class ChoiceQuestion(Answered):
    """A choice."""

    options = required(Listing(Group(Option()), MAX_OPTIONS, min_items=1))
    allow_other = optional(
        Boolean(), description="Whether prospects can enter a text of their own instead of an option."
    )

    def fit(self, values: Values, violations: Violations) -> None:
        check_unique_values(values, "options", violations)
        for index, option in enumerate(values["options"]):
            if option["value"] == OTHER and values.get("allow_other"):
                violations.add(f"options.{index}.value", "reserved")


class SingleChoice(ChoiceQuestion):
    """A choice of one option."""

    display = optional(Choice("radio", "select"), description="The layout of the options.")


class MultiChoice(ChoiceQuestion):
    """A choice of several options."""

    options = required(Listing(Group(ExclusiveOption()), MAX_OPTIONS, min_items=1))
    min_selected = optional(Integer(0, MAX_OPTIONS), description="The minimum number of selected options.")
    max_selected = optional(Integer(1, MAX_OPTIONS + 1), description="The maximum number of selected options.")

    def fit(self, values: Values, violations: Violations) -> None:
        super().fit(values, violations)
        low, high = values.get("min_selected", 0), values.get("max_selected")
        offered = len(values["options"]) + values.get("allow_other", False)
        if high is not None and low > high:
            violations.add("min_selected", "min_above_max", max="max_selected")
        if low > offered:
            violations.add("min_selected", "out_of_range", f"Only {offered} options can be selected.")


class Ranking(Answered):
    """Options to rank, the best first."""

    options = required(Listing(Group(Option()), MAX_RANKED, min_items=2))
    min_ranked = optional(Integer(0, MAX_RANKED), description="The minimum number of ranked options.")

    def fit(self, values: Values, violations: Violations) -> None:
        check_unique_values(values, "options", violations)
        if values.get("min_ranked", 0) > len(values["options"]):
            violations.add("min_ranked", "out_of_range", f"Only {len(values['options'])} options can be ranked.")


class Label(Part):
    """A row or column of a matrix."""

    value = required(Text(OPTION_LENGTH))
    label = required(Text(500))


class Matrix(Answered):
    """Rows, each answered with a column."""

    rows = required(Listing(Group(Label()), MAX_ROWS, min_items=1))
    columns = required(
        Listing(Group(Label()), MAX_COLUMNS, min_items=2),
        description="The columns of the matrix: the possible answers for each row.",
    )

    def fit(self, values: Values, violations: Violations) -> None:
        check_unique_values(values, "rows", violations)
        check_unique_values(values, "columns", violations)


class FileQuestion(Question):
    """Uploaded files; `max_size` is in MiB."""

    max_files = optional(Integer(1, MAX_FILES), description="The maximum number of files. The default is 1.")
    max_size = optional(Integer(1, MAX_FILE_MIB), description="The maximum size of a file in MiB. The default is 10.")
    accept = optional(
        Listing(Choice(*ACCEPTED), len(ACCEPTED), unique=True, min_items=1),
        description="The accepted file types. By default all types in this list are accepted.",
    )


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
        "yes_no": Answered(),
        "consent": Question(),
        "single_choice": SingleChoice(),
        "multi_choice": MultiChoice(),
        "scale": Scale(),
        "ranking": Ranking(),
        "matrix": Matrix(),
        "address": Answered(),
        "file": FileQuestion(),
        "statement": Statement(),
    },
)
TYPES = tuple(QUESTION.forms)


def check_unique_values(values: dict[str, Any], field: str, violations: Violations) -> None:
    """Adds a violation for each repeated value."""
    seen: set[str] = set()
    for index, item in enumerate(values[field]):
        if item["value"] in seen:
            violations.add(f"{field}.{index}.value", "duplicate_option", f'"{item["value"]}" occurs twice.')
        seen.add(item["value"])
