"""Hints of a template: which answers are a lead's fields, which flags and tips the rep gets."""

from pipeline.interviews.condition_checks import Known, check_condition, check_key
from pipeline.interviews.conditions import holds
from pipeline.interviews.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.interviews.values import Answers
from pipeline.validation import Group, Listing, Mapping, Text, Values, Violations, optional, required
from pipeline.validation.violations import step

LEAD_FIELDS = ("name", "first_name", "last_name", "email", "phone", "company", "job_title", "notes", "tags")
# A lead's fields are text, so only answers that are one text map to them.
LEAD_FIELD_TYPES = ("short_text", "long_text", "email", "phone", "url", "single_choice")
MAX_FLAGS = 50
# A template that says nothing about flags gets these, for questions with the conventional keys.
BUILT_IN = {
    "competitive_deal": lambda visible: "competitors" in visible or visible.get("evaluating_others") is True,
    "fast_timeline": lambda visible: visible.get("timeline") in ("immediately", "within_30_days"),
    "high_compliance": lambda visible: isinstance(visible.get("compliance"), list) and len(visible["compliance"]) >= 2,
}


class RepFlag(Part):
    """A flag that the rep sees while its condition holds."""

    flag = required(KEY)
    label = optional(Text(200))
    when = required(CONDITION)


class LeadFields(Part):
    """Which question holds a lead's field; every one of LEAD_FIELDS may be named."""

    def __init__(self) -> None:
        super().__init__(*(optional(REFERENCE, name=field) for field in LEAD_FIELDS))


class Hints(Part):
    """What the answers mean to the rep."""

    lead_fields = optional(Group(LeadFields()))
    rep_flags = optional(Listing(Group(RepFlag()), MAX_FLAGS))
    rep_tips = optional(Mapping(Text(2000, lines=True)))


def check_hints(violations: Violations, place: str, hints: Values, known: Known) -> None:
    """Check hints: questions that exist and hold text, flags that are told apart."""
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


def lead_field_keys(hints: Values | None, questions: list[Values]) -> dict[str, str]:
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


def rep_flags(hints: Values | None, visible: Answers) -> list[str]:
    """What a rep should notice: the flags that hold over the visible answers, in the template's order.

    Without `rep_flags` in the hints the built-in rules apply; an empty list there means no flags.
    """
    rules = (hints or {}).get("rep_flags")
    if rules is None:
        return [flag for flag, applies in BUILT_IN.items() if applies(visible)]
    return [rule["flag"] for rule in rules if holds(rule["when"], visible)]
