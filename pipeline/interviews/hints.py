"""Hints of a template: lead fields, rep flags and tips."""

from pipeline.interviews.condition_checks import KnownQuestions, check_condition, check_key
from pipeline.interviews.conditions import Answers, holds
from pipeline.interviews.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.validation import Group, Listing, Mapping, Text, Values, Violations, optional, required
from pipeline.validation.violations import step

LEAD_FIELDS = ("name", "first_name", "last_name", "email", "phone", "company", "job_title", "notes", "tags")
# Lead fields are text, so only text answers map to them.
LEAD_FIELD_TYPES = ("short_text", "long_text", "email", "phone", "url", "single_choice")
MAX_FLAGS = 50
# The flags of templates without `rep_flags`.
BUILT_IN = {
    "competitive_deal": lambda visible: "competitors" in visible or visible.get("evaluating_others") is True,
    "fast_timeline": lambda visible: visible.get("timeline") in ("immediately", "within_30_days"),
    "high_compliance": lambda visible: isinstance(visible.get("compliance"), list) and len(visible["compliance"]) >= 2,
}


class RepFlag(Part):
    """A flag for the rep with its condition."""

    flag = required(KEY)
    label = optional(Text(200))
    when = required(CONDITION)


class LeadFields(Part):
    """The question key for each lead field."""

    def __init__(self) -> None:
        super().__init__(*(optional(REFERENCE, name=field) for field in LEAD_FIELDS))


class Hints(Part):
    """The hints of a template."""

    lead_fields = optional(Group(LeadFields()))
    rep_flags = optional(Listing(Group(RepFlag()), MAX_FLAGS))
    rep_tips = optional(Mapping(Text(2000, lines=True)))


def check_hints(violations: Violations, place: str, hints: Values, known: KnownQuestions) -> None:
    """Adds violations for unknown or unsuitable questions, and duplicate flags."""
    for field, key in hints.get("lead_fields", {}).items():
        where = f"{place}.lead_fields.{field}"
        if check_key(violations, where, key, known) and known.sound[key]["type"] not in LEAD_FIELD_TYPES:
            reason = f"A question of type {known.sound[key]['type']} does not hold a lead's {field}."
            violations.add(where, "wrong_question_type", reason)
    for key in hints.get("rep_tips", {}):
        check_key(violations, f"{place}.rep_tips.{step(key)}", key, known)
    seen: set[str] = set()
    for index, rule in enumerate(hints.get("rep_flags", ())):
        where, rule = f"{place}.rep_flags.{index}", rule or {}
        flag = rule.get("flag")
        if flag in seen:
            violations.add(f"{where}.flag", "duplicate_key", key=flag)
        seen.update([flag] if flag else [])
        if "when" in rule:
            check_condition(violations, f"{where}.when", rule["when"], known)


def lead_field_keys(hints: Values, questions: list[Values]) -> dict[str, str]:
    """Returns {lead field: question key}, by default of the same name."""
    conventional = {
        question["key"]: question["key"]
        for question in questions
        if question["key"] in LEAD_FIELDS and question["type"] in LEAD_FIELD_TYPES
    }
    return {**conventional, **hints.get("lead_fields", {})}


def rep_flags(hints: Values | None, visible: Answers) -> list[str]:
    """Returns the flags with a true condition; built-in rules apply without `rep_flags`."""
    rules = (hints or {}).get("rep_flags")
    if rules is None:
        return [flag for flag, applies in BUILT_IN.items() if applies(visible)]
    return [rule["flag"] for rule in rules if holds(rule["when"], visible)]
