import pytest

from tests.interviews.language import OPTIONS, condition, question, template, violations_of
from tests.support import interview

ROWS = {"rows": OPTIONS, "columns": OPTIONS}


@pytest.mark.parametrize(
    ("type", "value", "fields", "found"),
    [
        ("short_text", "", {}, {}),
        ("date", "today", {"min": "today"}, {}),
        ("ranking", ["server"], {"options": OPTIONS}, {}),
        ("matrix", {"cloud": "server"}, {**ROWS, "required": True}, {}),
        ("address", {"country": "DE"}, {"required": True}, {}),
        ("short_text", "today", {"max_length": 3}, {"default": "too_long"}),
        ("date", "2026-01-31", {"min": "2026-02-01"}, {"default": "out_of_range"}),
        ("matrix", {"cloud": "none"}, ROWS, {"default.cloud": "invalid_choice"}),
        ("consent", True, {}, {"default": "unknown_field"}),
        ("file", [], {}, {"default": "unknown_field"}),
    ],
)
def test_a_default_is_an_answer_of_its_question(type, value, fields, found):
    violations = violations_of(question("a", type, default=value, **fields))
    assert violations == {f"questions.0.{place}": code for place, code in found.items()}


FORM = template(
    question("seats", "number", default=5),
    question("company", default="You"),
    question("start", "date", default="today"),
    question("more", "yes_no", visible_if=condition("seats", "eq", 5), required=True),
)


@pytest.fixture
def invite(organization):
    lead_id = organization.insert("leads", first_name="Pat", company="Acme")
    return organization.invite(organization.template(**FORM), lead_id=lead_id)


def test_the_api_suggests_defaults_after_what_is_known_of_the_lead(invite, anonymous):
    body = anonymous.get(interview(invite), status=200).json
    assert (body["answers"], body["template"]["questions"][0]["default"]) == ({}, 5)
    start = body["prefill"].pop("start")
    assert (len(start), body["prefill"]) == (10, {"seats": 5, "company": "Acme"})


def test_a_cleared_default_stays_cleared_and_starts_nothing(invite, anonymous):
    saved = anonymous.patch(interview(invite), {"answers": {"seats": None}}, status=200).json
    assert (saved["answers"], saved["status"]) == ({"seats": None}, "pending")
    assert "seats" not in anonymous.get(interview(invite), status=200).json["prefill"]
    assert anonymous.patch(interview(invite), {"answers": {"seats": 7}}, status=200).json["answers"] == {"seats": 7}
    anonymous.patch(interview(invite), {"answers": {"seats": ""}}, status=200)
    anonymous.post(f"{interview(invite)}/submit", {"answers": {}}, status=200)
    assert anonymous.get(interview(invite), status=200).json["answers"] == {}
