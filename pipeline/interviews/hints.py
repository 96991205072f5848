"""Hints of a template: which answers are a lead's fields, which flags and tips the rep gets."""

from pipeline.interviews.checks import Findings, anything, at, is_absent, listing, members, record, text
from pipeline.interviews.condition_checks import Known, check_condition, check_key
from pipeline.interviews.questions import KEY_LENGTH, KEY_PATTERN

LEAD_FIELDS = ("name", "first_name", "last_name", "email", "phone", "company", "job_title", "notes", "tags")
# A lead's fields are text, so only answers that are one text map to them.
LEAD_FIELD_TYPES = ("short_text", "long_text", "email", "phone", "url", "single_choice")
MAX_FLAGS = 50

FLAG = record({"flag": text(KEY_LENGTH, KEY_PATTERN), "label": text(200), "when": anything}, ("flag", "when"))
HINTS = record({"lead_fields": anything, "rep_flags": listing(FLAG, 0, MAX_FLAGS), "rep_tips": anything})


def check_hints(found: Findings, place: str, hints: object, known: Known) -> None:
    """Check hints: known lead fields, questions that exist and hold text, flags that are told apart."""
    HINTS(found, place, hints)
    if not isinstance(hints, dict):
        return
    for name, check in (("lead_fields", _check_lead_fields), ("rep_tips", _check_tips)):
        if not is_absent(hints.get(name)):
            check(found, at(place, name), hints[name], known)
    seen: set[str] = set()
    for index, rule in members(hints.get("rep_flags")):
        where, flag = at(place, f"rep_flags.{index}"), rule.get("flag")
        if isinstance(flag, str) and flag in seen:
            found.add(at(where, "flag"), "duplicate_key", f'Flag "{flag[:80]}" is there already.')
        seen.update([flag] if isinstance(flag, str) else [])
        if not is_absent(rule.get("when")):
            check_condition(found, at(where, "when"), rule["when"], known)


def lead_field_keys(hints: dict | None, questions: list[dict]) -> dict[str, str]:
    """Which question holds each lead field: {lead field: question key}.

    Hints come first; a field without one goes to the question whose key is the field's name, if it is text.
    """
    conventional = {
        question["key"]: question["key"]
        for question in questions
        if question["key"] in LEAD_FIELDS and question["type"] in LEAD_FIELD_TYPES
    }
    hinted = (hints or {}).get("lead_fields") or {}
    return {**conventional, **{field: key for field, key in hinted.items() if key}}


def _check_lead_fields(found: Findings, place: str, fields: object, known: Known) -> None:
    record(dict.fromkeys(LEAD_FIELDS, anything))(found, place, fields)
    for field, key in fields.items() if isinstance(fields, dict) else ():
        if field not in LEAD_FIELDS or is_absent(key):
            continue
        if check_key(found, at(place, field), key, known):
            kind = known.sound[key]["type"]
            if kind not in LEAD_FIELD_TYPES:
                message = f"A question of type {kind} does not hold a lead's {field}."
                found.add(at(place, field), "wrong_question_type", message)


def _check_tips(found: Findings, place: str, tips: object, known: Known) -> None:
    if not isinstance(tips, dict):
        found.add(place, "wrong_type", "Must be an object.")
        return
    for key, tip in tips.items():
        check_key(found, at(place, key), key, known)
        text(2000)(found, at(place, key), tip)
