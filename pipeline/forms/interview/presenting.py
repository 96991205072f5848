"""Questions as the templates show them."""

import datetime
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pipeline.forms.interview.steps import Walk
from pipeline.forms.questions.answer_text import size_of, written
from pipeline.forms.questions.error_messages import Said, file_rules
from pipeline.forms.questions.parts import Option, parts_of
from pipeline.forms.translations import Texts
from pipeline.interviews.templates.conditions import OTHER, OTHER_SUFFIX, is_required, offered_values
from pipeline.interviews.templates.questions import CHOICES, TODAY_LEEWAY, date_bounds, extensions, scale_bounds
from pipeline.validation import Values

# Beyond these a scale or choice becomes a list.
MANY_STEPS, MANY_OPTIONS = 11, 12
# `autocomplete` by key, else by question type (WCAG 1.3.5).
AUTOCOMPLETE = {
    "first_name": "given-name",
    "last_name": "family-name",
    "name": "name",
    "your_name": "name",
    "full_name": "name",
    "company": "organization",
    "company_name": "organization",
    "job_title": "organization-title",
    "country": "country-name",
    "city": "address-level2",
    "postal_code": "postal-code",
    "email": "email",
    "phone": "tel",
    "url": "url",
}
# Types with `max_length`.
WRITTEN = ("short_text", "long_text")
INPUT_TYPES = {"email": "email", "phone": "tel", "url": "url", "date": "date"}


class ShownQuestion:
    """A question on a page; `low` and `high` bound a date."""

    def __init__(
        self, question: Values, walk: Walk, values: Mapping[str, Any], texts: Texts, today: datetime.date, errors: Said
    ) -> None:
        """walk: decides visibility; values: by key; errors: sentences by answer key."""
        self.question, self.key, self.type = question, question["key"], question["type"]
        answer, other_key = values.get(self.key), self.key + OTHER_SUFFIX
        self.visible = self.key in walk.shown_keys
        self.required = self.type != "statement" and is_required(question, walk.counting)
        self.answered, self.value = answer is not None, written(answer)
        self.errors, self.other_errors = errors.get(self.key, []), errors.get(other_key, [])
        self.options = list(_options(question, walk, answer, texts))
        self.other = written(values.get(other_key)) if question.get("allow_other") is True else None
        self.parts = list(parts_of(question, self.options, answer, errors, texts))
        kept = (answer or []) if self.type == "file" else []
        self.files = [{**file, "size": size_of(file, texts)} for file in kept]
        self.hints = _hints(question, texts)
        self.input_type, self.input_mode = INPUT_TYPES.get(self.type, "text"), _input_mode(question)
        self.autocomplete = AUTOCOMPLETE.get(self.key, AUTOCOMPLETE.get(self.type))
        self.low, self.high = date_bounds(question, today, TODAY_LEEWAY) if self.type == "date" else (None, None)

    @property
    def first_control(self) -> str:
        """The id of the control that errors link to."""
        if self.parts:
            part = next((part for part in self.parts if part.errors), self.parts[0])
            return part.control
        return f"f-{self.key}-0" if self.options and not self.as_list else f"f-{self.key}"

    @property
    def as_list(self) -> bool:
        """Whether a list replaces the radio buttons."""
        if self.type == "single_choice":
            by_number = "select" if len(self.question["options"]) > MANY_OPTIONS else "radio"
            return self.question.get("display", by_number) == "select"
        return self.type == "scale" and len(self.options) > MANY_STEPS

    @property
    def is_full(self) -> bool:
        """Whether the question accepts no more files."""
        return len(self.files) >= (self.question.get("max_files") or 1)

    @property
    def endings(self) -> str:
        """The `accept` attribute of files."""
        return ",".join(f".{extension}" for extension in extensions(self.question))

    @property
    def clearable(self) -> bool:
        """Whether a button clears the answer; lists have an empty entry."""
        kinds = ("yes_no", "single_choice", "scale", "matrix")
        return self.type in kinds and not self.as_list and self.question.get("required") is not True

    @property
    def described_by(self) -> str | None:
        """The ids for `aria-describedby`, or None."""
        named = [(self.question.get("help"), "h"), (self.hints, "n"), (self.errors, "e")]
        return " ".join(f"{prefix}-{self.key}" for there, prefix in named if there) or None


def _options(question: Values, walk: Walk, answer: object, texts: Texts) -> Iterator[Option]:
    kind = question["type"]
    if kind == "yes_no":
        for value, word in ((True, "yes"), (False, "no")):
            yield Option(word, texts(f"question.{word}"), True, answer is value, False)
    elif kind == "scale":
        low, high = scale_bounds(question)
        for step in range(low, high + 1):
            chosen = not isinstance(answer, bool) and answer == step
            yield Option(str(step), _step_label(question, step), True, chosen, False)
    elif kind == "consent":
        yield Option("yes", "", True, answer is True, False)
    elif kind in CHOICES:
        offered = offered_values(question, walk.counting)
        for option in question["options"]:
            value = option["value"]
            exclusive = option.get("exclusive") is True
            chosen = _is_chosen(answer, value)
            yield Option(value, option["label"], value in offered, chosen, exclusive, authored=True)
        if question.get("allow_other") is True:
            yield Option(OTHER, texts("question.other"), True, _is_chosen(answer, OTHER), False)


def _step_label(question: Values, step: int) -> str:
    low, high = scale_bounds(question)
    end = question.get({low: "min_label", high: "max_label"}.get(step, ""))
    return f"{step} – {end}" if end and high - low >= MANY_STEPS else str(step)


def _is_chosen(answer: object, value: str) -> bool:
    return value in answer if isinstance(answer, list) else answer == value


def _hints(question: Values, texts: Texts) -> list[str]:
    if question["type"] in WRITTEN and question.get("max_length"):
        return [texts("question.at_most_characters", **question)]
    if question["type"] == "file":
        rules = file_rules(question)
        return [texts("question.files" if rules["max_files"] > 1 else "question.file", **rules)]
    if question["type"] == "ranking":
        least = [texts("question.rank_at_least", **question)] if question.get("min_ranked") else []
        return [texts("question.rank"), *least]
    if question["type"] != "multi_choice":
        return []
    hints = []
    if (question.get("min_selected") or 0) > 1:
        hints.append(texts("question.at_least", **question))
    if question.get("max_selected"):
        hints.append(texts("question.at_most", **question))
    return hints or [texts("question.any")]


def _input_mode(question: Values) -> str | None:
    if question["type"] == "number":
        # A phone's numeric keyboard may have no minus sign.
        below_zero = not isinstance(question.get("min"), (int, Decimal)) or question["min"] < 0
        return None if below_zero else "numeric" if question.get("integer") is True else "decimal"
    return None if question["type"] == "date" else INPUT_TYPES.get(question["type"])
