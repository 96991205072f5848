"""The thirteen question types: which fields each has, and which values of them fit together."""

from pipeline.interviews.checks import (
    Checker,
    Findings,
    anything,
    at,
    boolean,
    choice,
    date_or_today,
    integer,
    is_absent,
    listing,
    members,
    number,
    pattern,
    record,
    text,
)
from pipeline.interviews.conditions import OTHER
from pipeline.interviews.values import EMAIL_LENGTH, PHONE_LENGTH, as_date, as_number, normalised
from pipeline.urls import URL_LENGTH

KEY_LENGTH = 40
# A double underscore is kept for the texts of "other" (`<key>__other`).
KEY_PATTERN = r"[a-z](_?[a-z0-9])*_?"
OPTION_LENGTH = 100
MAX_OPTIONS = 200
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
CHOICES = ("single_choice", "multi_choice")

LABELS: dict[str, Checker] = {
    "key": text(KEY_LENGTH, KEY_PATTERN),
    "type": anything,
    "label": text(1000),
    "help": text(5000),
    "visible_if": anything,
}
COMMON = {**LABELS, "required": boolean, "required_if": anything}
TYPED = {**COMMON, "placeholder": text(200)}
OPTION: dict[str, Checker] = {"value": text(OPTION_LENGTH), "label": text(500), "visible_if": anything}


def _text_fields(kind: str) -> dict[str, Checker]:
    highest = TEXT_LENGTHS[kind][1]
    lengths = {"min_length": integer(0, highest), "max_length": integer(1, highest)}
    return {**TYPED, **lengths, "pattern": pattern}


def _choice_fields(option: dict[str, Checker]) -> dict[str, Checker]:
    return {**COMMON, "options": listing(record(option, ("value", "label")), 1, MAX_OPTIONS), "allow_other": boolean}


FIELDS: dict[str, dict[str, Checker]] = {
    "short_text": _text_fields("short_text"),
    "long_text": _text_fields("long_text"),
    "email": TYPED,
    "phone": TYPED,
    "url": TYPED,
    "number": {**TYPED, "integer": boolean, "min": number, "max": number, "unit": text(20)},
    "date": {**COMMON, "min": date_or_today, "max": date_or_today},
    "yes_no": COMMON,
    "consent": COMMON,
    "single_choice": _choice_fields(OPTION),
    "multi_choice": {
        **_choice_fields({**OPTION, "exclusive": boolean}),
        "min_selected": integer(0, MAX_OPTIONS),
        "max_selected": integer(1, MAX_OPTIONS + 1),
    },
    "scale": {
        **COMMON,
        "min": integer(-1000, 1000),
        "max": integer(-1000, 1000),
        "min_label": text(100),
        "max_label": text(100),
    },
    "statement": LABELS,
}
TYPES = tuple(FIELDS)
QUESTIONS = {
    kind: record(fields, ("key", "label", *(("options",) if kind in CHOICES else ())))
    for kind, fields in FIELDS.items()
}


def check_question(found: Findings, place: str, question: object) -> bool:
    """Check one question by itself (its conditions apart); True when it is sound and may be relied on."""
    before = len(found)
    kind = question.get("type") if isinstance(question, dict) else None
    if not isinstance(question, dict):
        found.add(place, "wrong_type", "Must be an object.")
    elif not isinstance(kind, str) or kind not in FIELDS:
        record({"type": choice(TYPES)}, ("type",))(found, place, {"type": kind})
    else:
        QUESTIONS[kind](found, place, question)
        if len(found) == before:
            _check_fit(found, place, question, kind)
    return len(found) == before


def longest(question: dict) -> int:
    """The most characters that an answer to a text question may have."""
    default, _ = TEXT_LENGTHS[question["type"]]
    return int(question.get("max_length") or default)


def scale_bounds(question: dict) -> tuple[int, int]:
    """The lowest and highest step of a scale; 1 to 5 unless the question says otherwise."""
    low, high = question.get("min"), question.get("max")
    return int(SCALE_MIN if is_absent(low) else low), int(SCALE_MAX if is_absent(high) else high)


def _check_fit(found: Findings, place: str, question: dict, kind: str) -> None:
    if kind in TEXT_LENGTHS and (as_number(question.get("min_length")) or 0) > longest(question):
        found.add(at(place, "min_length"), "min_above_max", "Must not be above max_length.")
    elif kind == "scale":
        low, high = scale_bounds(question)
        if low >= high:
            found.add(at(place, "min"), "min_above_max", f"Must be below the scale's max, {high}.")
        elif high - low > MAX_SCALE_STEPS:
            found.add(at(place, "max"), "out_of_range", f"Must be at most {MAX_SCALE_STEPS} above min.")
    elif kind in ("number", "date"):
        read = as_number if kind == "number" else as_date
        low, high = read(question.get("min")), read(question.get("max"))
        if low is not None and high is not None and low > high:
            found.add(at(place, "min"), "min_above_max", "Must not be above max.")
    elif kind in CHOICES:
        _check_options(found, place, question)


def _check_options(found: Findings, place: str, question: dict) -> None:
    seen: set[str] = set()
    for index, option in members(question["options"]):
        value, where = option["value"], at(place, f"options.{index}.value")
        if value in seen:
            found.add(where, "duplicate_option", f'Option "{value}" is there already.')
        elif value == OTHER and question.get("allow_other"):
            found.add(where, "reserved", 'With allow_other the value "other" is taken.')
        elif value != normalised(value):
            found.add(where, "invalid_format", "Must be in Unicode form NFC, without space around it.")
        seen.add(value)
    low, high = as_number(question.get("min_selected")) or 0, as_number(question.get("max_selected"))
    offered = len(question["options"]) + (question.get("allow_other") is True)
    if high is not None and low > high:
        found.add(at(place, "min_selected"), "min_above_max", "Must not be above max_selected.")
    if low > offered:
        found.add(at(place, "min_selected"), "out_of_range", f"Only {offered} options can be selected.")
