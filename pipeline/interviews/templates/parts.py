"""Conditions, pages and common fields of a template's parts."""

from typing import Any

from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    HttpsUrl,
    Listing,
    OneOf,
    Text,
    Type,
    Values,
    Violations,
    optional,
    required,
)
from pipeline.validation.types import Schema, composed

KEY_LENGTH = 40
MAX_PARTS = 50
MAX_PAGES, MAX_QUESTIONS = 50, 300

PRESENCE = ("answered", "empty")
EQUALITY = ("eq", "ne")
MEMBERSHIP = ("in", "not_in")
CONTAINMENT = ("contains", "not_contains")
CONTAINMENTS = ("contains_any", "contains_all")
ORDER = ("gt", "gte", "lt", "lte")
LISTS = MEMBERSHIP + CONTAINMENTS
OPERATORS = PRESENCE + EQUALITY + MEMBERSHIP + CONTAINMENT + CONTAINMENTS + ORDER

# Double underscores are reserved for "other" texts (`<key>__other`).
KEY = Text(
    KEY_LENGTH,
    pattern=r"[a-z](_?[a-z0-9])*_?",
    hint="Must be lower-case letters, digits and single underscores, a letter first.",
)
# The key of another part; its existence is checked later.
REFERENCE = Text(100)


class Part(Body):
    """A part of a template, without null fields."""

    sparse = True

    def check(self, values: Values, violations: Violations) -> None:
        if not violations:
            self.fit(values, violations)

    def fit(self, values: Values, violations: Violations) -> None:
        """Adds violations between valid fields."""


class Value(Type):
    """Any JSON; "" counts as absent."""

    def load(self, given: Any) -> Any:
        value = composed(given, trim=True)
        return None if value == "" else value

    def describe(self) -> Schema:
        return {"description": "A value, or an array of values, in the format of the question's answers."}


CONDITION = OneOf("Condition")
_PARTS = Listing(CONDITION, MAX_PARTS, min_items=1)


class All(Part):
    """All of these conditions hold."""

    all = required(_PARTS, description="The conditions. All of them must hold.")


class Any_(Part):
    """At least one of these conditions holds."""

    any = required(_PARTS, description="The conditions. At least one must hold.")


class Not(Part):
    """This condition does not hold."""

    not_ = required(CONDITION, name="not")


class Comparison(Part):
    """Compares an answer with a value."""

    question = required(REFERENCE)
    op = required(Choice(*OPERATORS), description="The comparison operator.")
    value = optional(Value())


CONDITION.forms = {"all": All(), "any": Any_(), "not": Not(), "question": Comparison()}


class Page(Part):
    """A page with its question keys in order."""

    key = required(KEY)
    title = optional(Text(500))
    description = optional(Text(5000, lines=True))
    visible_if = optional(CONDITION)
    questions = required(Listing(REFERENCE, MAX_QUESTIONS, min_items=1))


class ThankYou(Part):
    """The page after the submit."""

    title = optional(Text(200))
    body = optional(Text(5000, lines=True), description="The text.")
    redirect_url = optional(HttpsUrl(), description="The URL that opens after the submit.")
    show_answers = optional(Boolean(), description="Whether prospects see their answers after the submit.")
    send_copy = optional(Boolean(), description="Whether prospects can request a copy of their answers by email.")
