"""Builds a lead from a capture form's answers."""

from collections.abc import Mapping

from pipeline.database import Row
from pipeline.interviews.templates.conditions import OTHER, OTHER_SUFFIX, Answers
from pipeline.interviews.templates.hints import lead_field_keys
from pipeline.validation import AbsentIfInvalid, Email
from pipeline.validation.formats import distinct_tags
from pipeline.validation.types import UNPRINTABLE, is_visible, without_unseen

# Longer answers are cut in the lead; the response keeps them whole.
LENGTHS = {"phone": 80, "notes": 20_000, "tags": 2_000}
NAME_LENGTH = 255
FIELDS = ("first_name", "last_name", "email", "phone", "company", "job_title", "notes", "tags")
NOBODY = "Unknown"
# The question may have another type than `email`.
EMAIL = AbsentIfInvalid(Email())


def lead_of(version: Row, visible: Answers, address: str | None = None) -> dict[str, str | None]:
    """Returns a lead's fields; `address` is the default of `email`.

    `name` is split at its last space; the first name defaults to the email's local part, company or "Unknown".
    """
    keys = lead_field_keys(version["hints"], version["questions"])
    given = {field: _text(visible, field, key) for field, key in keys.items()}
    first, last = _name(given)
    email = EMAIL.load(given.get("email")) or address
    lead = {
        **{field: given.get(field) for field in FIELDS},
        "first_name": first or (email or "").partition("@")[0] or given.get("company") or NOBODY,
        "last_name": last,
        "email": email,
    }
    return {field: _clipped(field, text) for field, text in lead.items()}


def email_of(version: Row, visible: Answers) -> str | None:
    """Returns the prospect's email address, or None."""
    key = lead_field_keys(version["hints"], version["questions"]).get("email")
    return EMAIL.load(_text(visible, "email", key))


def _name(given: Mapping[str, str | None]) -> tuple[str | None, str | None]:
    whole, _, ending = (given.get("name") or "").rpartition(" ")
    first, last = (whole.strip(), ending) if whole else (ending, None)
    first, last = given.get("first_name") or first, given.get("last_name") or last
    return (first, last) if first else (last, None)


def _text(visible: Answers, field: str, key: str | None) -> str | None:
    if key is None:
        return None
    answer = visible.get(key)
    if answer == OTHER:
        answer = visible.get(key + OTHER_SUFFIX, answer)
    if not isinstance(answer, str) or not is_visible(answer):
        return None
    if field == "tags":
        answer = distinct_tags(answer)
    return answer.strip() if field == "notes" else " ".join(without_unseen(UNPRINTABLE.sub(" ", answer)).split())


def _clipped(field: str, text: str | None) -> str | None:
    return text and (text[: LENGTHS.get(field, NAME_LENGTH)].strip() or None)
