"""Values of the wrong type, out of range, too long or impossible: 422 that names the field, and nothing is stored."""

import json

import pytest

from tests.http.target import assert_problem
from tests.support import TEMPLATE, codes

UNKNOWN_ID = 2**63 - 1
# What each field declares. The types' own refusals: test_schema.py.
FIELDS = [
    ("create invite", "template_id", 0, "out_of_range"),
    ("create invite", "template_id", UNKNOWN_ID, "unknown_reference"),
    ("create invite", "lead_id", UNKNOWN_ID, "unknown_reference"),
    ("create invite", "deal_id", UNKNOWN_ID, "unknown_reference"),
    ("create invite", "recipient_email", "pat@prospect.example\nBcc: x@y.example", "invalid_characters"),
    ("create invite", "personal_note", "x" * 5001, "too_long"),
    ("create invite", "expires_at", "2020-01-01T00:00:00Z", "in_the_past"),
    ("create template", "slug", "a--b", "invalid_format"),
    ("create template", "pages", [], "required"),
    ("create template", "questions", "[]", "wrong_type"),
    ("replace template", "name", None, "required"),
    ("save answers", "answers", [], "wrong_type"),
    ("login", "email", "x" * 255, "too_long"),
    ("login", "password", "", "required"),
    ("login", "password", "x" * 1025, "too_long"),
]
NUMBERS = ["10" * 20, "-9223372036854775809", "1e400", "1e-400", "123456789.123456789123456789", "9" * 4000]


@pytest.mark.parametrize(("endpoint", "field", "value", "code"), FIELDS)
def test_a_wrong_value_is_refused_by_its_name(endpoint, field, value, code, target):
    before = target.stored()
    body = {**target.endpoints[endpoint].body, field: value}
    response = target.send(endpoint, json.dumps(body).encode())
    assert_problem(response, 422, "validation_failed")
    assert (field, code) in codes(response)
    assert target.stored() == before


SEATS = {"key": "seats", "type": "number", "label": "Seats"}
PLACES = [
    *(
        {"questions": [*TEMPLATE["questions"][::2], {**SEATS, field: "NUMBER"}]}
        for field in ("min", "options", "unknown")
    ),
    {"hints": {"lead_fields": {"email": "NUMBER"}}},
    {"hints": {"rep_flags": [{"flag": "big", "label": "Big", "when": "NUMBER"}]}},
    {"pages": [{**TEMPLATE["pages"][0], "visible_if": {"question": "seats", "op": "gt", "value": "NUMBER"}}]},
    {"field_map": [{"target": "quantity", "question": "seats", "map": {"1": "NUMBER"}}]},
    {"branding": {"logo_url": "NUMBER"}},
    {"pages": ["NUMBER"]},
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:30])
def test_numbers_that_do_not_fit_are_refused_anywhere_in_a_template(number, target):
    before = target.stored()
    for part in PLACES:
        body = json.dumps({**TEMPLATE, "slug": "new", **part}).replace('"NUMBER"', number)
        assert_problem(target.send("create template", body.encode()), 422, "validation_failed")
        assert target.stored() == before, part
