"""Hints of a template: lead fields, rep flags and tips."""

import re
from typing import Any

from pipeline.api.fields.own_fields import KEY_PATTERN
from pipeline.interviews.templates.condition_checks import KnownQuestions, check_condition, check_key
from pipeline.interviews.templates.conditions import Answers, holds
from pipeline.interviews.templates.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.validation import Group, Invalid, Listing, Mapping, Schema, Text, Values, Violations, optional, required
from pipeline.validation.violations import step

OWN = "fields."
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

    flag = required(KEY, description="The name of the flag.")
    label = optional(Text(200))
    when = required(CONDITION)


class LeadFieldQuestions(Part):
    """The question key for each lead field; `fields.region` is an own field, which a hidden field may fill, too."""

    def __init__(self) -> None:
        super().__init__(*(optional(REFERENCE, name=field) for field in LEAD_FIELDS))

    def read(self, given: Any) -> Values:
        own = {name: key for name, key in given.items() if _is_own(name)} if isinstance(given, dict) else {}
        if not own:
            return super().read(given)
        violations = Violations()
        values = violations.check("", super().read, {name: given[name] for name in given if name not in own}) or {}
        values |= {name: violations.check(step(name), REFERENCE.load, key) for name, key in own.items()}
        if violations:
            raise Invalid(violations, values)
        return {name: value for name, value in values.items() if value is not None}

    def describe(self) -> Schema:
        return {**super().describe(), "patternProperties": {f"^fields\\.{KEY_PATTERN}$": REFERENCE.describe()}}


def _is_own(name: str) -> bool:
    return name.startswith(OWN) and re.fullmatch(KEY_PATTERN, name.removeprefix(OWN)) is not None


def own_field_keys(hints: Values) -> dict[str, str]:
    """{key of a lead's own field: key of its question or hidden field}."""
    return {name.removeprefix(OWN): key for name, key in hints.get("lead_fields", {}).items() if name.startswith(OWN)}


class Hints(Part):
    """The hints of a template."""

    lead_fields = optional(Group(LeadFieldQuestions()), description="The mapping of lead fields to question keys.")
    rep_flags = optional(Listing(Group(RepFlag()), MAX_FLAGS), description="Flags for the sales rep.")
    rep_tips = optional(Mapping(Text(2000, lines=True)), description="Tips for the sales rep by question key.")


def check_hints(violations: Violations, place: str, hints: Values, known: KnownQuestions) -> None:
    """Adds violations for unknown or unsuitable questions, and duplicate flags."""
    for field, key in hints.get("lead_fields", {}).items():
        where = f"{place}.lead_fields.{field}"
        if field.startswith(OWN) and key in known.hidden:
            continue
        if check_key(violations, where, key, known) and not (
            field.startswith(OWN) or known.sound[key]["type"] in LEAD_FIELD_TYPES
        ):
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
    named = {field: key for field, key in hints.get("lead_fields", {}).items() if not field.startswith(OWN)}
    return {**conventional, **named}


def rep_flags(hints: Values | None, visible: Answers) -> list[str]:
    """Returns the flags with a true condition; built-in rules apply without `rep_flags`."""
    rules = (hints or {}).get("rep_flags")
    if rules is None:
        return [flag for flag, applies in BUILT_IN.items() if applies(visible)]
    return [rule["flag"] for rule in rules if holds(rule["when"], visible)]
