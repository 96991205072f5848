"""Default values: fitting answers, suggested until they are saved, and cleared for good."""

import pytest

from tests.interviews.language import OPTIONS, condition, question, template, violations_of
from tests.support import interview

ROWS = {"rows": OPTIONS, "columns": OPTIONS}


def default(type, value, **fields):
    """The violations of a question with this default."""
    return violations_of(question("a", type, default=value, **fields))


@pytest.mark.parametrize(
    ("type", "value", "fields"),
    [
        ("short_text", "", {}),
        ("date", "today", {"min": "today"}),
        ("yes_no", False, {}),
        ("multi_choice", ["server"], {}),
        ("ranking", ["server"], {"options": OPTIONS}),
        ("matrix", {"cloud": "server"}, {**ROWS, "required": True}),
        ("address", {"country": "DE"}, {"required": True}),
    ],
)
def test_a_default_is_an_answer_of_its_question(type, value, fields):
    assert default(type, value, **fields) == {}


@pytest.mark.parametrize(
    ("type", "value", "fields", "code"),
    [
        ("short_text", 1, {}, "wrong_type"),
        ("short_text", "today", {"max_length": 3}, "too_long"),
        ("date", "2026-01-31", {"min": "2026-02-01"}, "out_of_range"),
        ("multi_choice", ["server"], {"min_selected": 2}, "too_few"),
        ("consent", True, {}, "unknown_field"),
        ("file", [], {}, "unknown_field"),
    ],
)
def test_a_default_that_could_not_be_sent_is_refused(type, value, fields, code):
    assert default(type, value, **fields) == {"questions.0.default": code}


def test_a_part_of_a_default_is_named():
    assert default("matrix", {"cloud": "none"}, **ROWS) == {"questions.0.default.cloud": "invalid_choice"}


FORM = template(
    question("seats", "number", default=5),
    question("company", default="You"),
    question("start", "date", default="today"),
    question("more", "yes_no", visible_if=condition("seats", "eq", 5), required=True),
)


@pytest.fixture
def invite(organization):
    """An invite of a lead to a form with defaults."""
    lead_id = organization.insert("leads", first_name="Pat", company="Acme")
    return organization.invite(organization.template(**FORM), lead_id=lead_id)


def test_the_api_suggests_defaults_after_what_is_known_of_the_lead(invite, anonymous):
    body = anonymous.get(interview(invite), status=200).json
    assert (body["answers"], body["template"]["questions"][0]["default"]) == ({}, 5)
    start = body["prefill"].pop("start")
    assert (len(start), body["prefill"]) == (10, {"seats": 5, "company": "Acme"})


def test_a_default_is_no_answer_before_it_is_saved(invite, anonymous, organization):
    anonymous.post(f"{interview(invite)}/submit", {"answers": {}}, status=200)  # `more` is required, but hidden
    assert organization.responses(invite)["answers"] == {}


def test_a_cleared_default_stays_cleared_and_starts_nothing(invite, anonymous):
    saved = anonymous.patch(interview(invite), {"answers": {"seats": None}}, status=200).json
    assert (saved["answers"], saved["status"]) == ({"seats": None}, "pending")
    assert "seats" not in anonymous.get(interview(invite), status=200).json["prefill"]
    assert anonymous.patch(interview(invite), {"answers": {"seats": 7}}, status=200).json["answers"] == {"seats": 7}
    anonymous.patch(interview(invite), {"answers": {"seats": ""}}, status=200)
    anonymous.post(f"{interview(invite)}/submit", {"answers": {}}, status=200)
    assert anonymous.get(interview(invite), status=200).json["answers"] == {}
