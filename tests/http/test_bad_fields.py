"""Values of the wrong type, out of range, too long or impossible: 422 that names the field, and nothing is stored."""

import json

import pytest

from tests.http.target import assert_problem
from tests.support import TEMPLATE, codes

MAX_ID = 2**63 - 1

# (endpoint, field, JSON text of its value, code): what each field declares. The types' own refusals: test_schema.py.
FIELDS = [
    ("create invite", "template_id", "0", "out_of_range"),
    ("create invite", "template_id", str(MAX_ID), "unknown_reference"),
    ("create invite", "lead_id", str(MAX_ID), "unknown_reference"),
    ("create invite", "deal_id", "1", "unknown_reference"),
    ("create invite", "recipient_email", '"pat@prospect.example\\nBcc: x@y.example"', "invalid_characters"),
    ("create invite", "recipient_email", '"pat@' + "x" * 300 + '.example"', "too_long"),
    ("create invite", "recipient_name", '"' + "x" * 256 + '"', "too_long"),
    ("create invite", "personal_note", '"' + "x" * 5001 + '"', "too_long"),
    ("create invite", "expires_at", '"2020-01-01T00:00:00Z"', "in_the_past"),
    ("create template", "name", '"' + "x" * 256 + '"', "too_long"),
    ("create template", "slug", '"a--b"', "invalid_format"),
    ("create template", "slug", '"' + "a" * 81 + '"', "too_long"),
    ("create template", "pages", "[]", "required"),
    ("create template", "questions", '"[]"', "wrong_type"),
    ("replace template", "name", "null", "required"),
    ("save answers", "answers", "[]", "wrong_type"),
    ("login", "email", '"' + "x" * 255 + '"', "too_long"),
    ("login", "password", '""', "required"),
    ("login", "password", '"' + "x" * 1025 + '"', "too_long"),
]


FREE_FORM = ["10" * 20, "-9223372036854775809", "1e400", "1e-400", "123456789.123456789123456789", "9" * 4000]


def body_with(target, endpoint, field, text):
    """The endpoint's good body with one field replaced by JSON text."""
    members = {name: json.dumps(value) for name, value in target.endpoints[endpoint].body.items()} | {field: text}
    return ("{" + ",".join(f"{json.dumps(name)}: {value}" for name, value in members.items()) + "}").encode()


def test_a_wrong_value_is_refused_by_its_name(target):
    before = target.stored()
    for endpoint, field, text, code in FIELDS:
        response = target.send(endpoint, body_with(target, endpoint, field, text))
        assert_problem(response, 422, "validation_failed")
        assert (field, code) in codes(response), (endpoint, text[:40])
    assert target.stored() == before


PLACES = [
    *(
        {
            "questions": [
                *TEMPLATE["questions"][::2],
                {"key": "seats", "type": "number", "label": "Seats", place: "NUMBER"},
            ]
        }
        for place in ("min", "max", "unit", "label", "options", "visible_if", "pattern", "unknown")
    ),
    {"hints": {"lead_fields": {"email": "NUMBER"}}},
    {"hints": {"rep_tips": {"seats": "NUMBER"}}},
    {"hints": {"rep_flags": [{"flag": "big", "label": "Big", "when": "NUMBER"}]}},
    {"pages": [{**TEMPLATE["pages"][0], "visible_if": {"question": "seats", "op": "gt", "value": "NUMBER"}}]},
    {"field_map": [{"target": "quantity", "value": "NUMBER"}]},
    {"field_map": [{"target": "quantity", "question": "seats", "map": {"1": "NUMBER"}}]},
    {"branding": {"logo_url": "NUMBER"}},
    {"thank_you": {"title": "NUMBER"}},
    {"pages": ["NUMBER"]},
]


@pytest.mark.parametrize("number", FREE_FORM, ids=lambda number: number[:30])
def test_numbers_that_do_not_fit_are_refused_anywhere_in_a_template(number, target):
    before = target.stored()
    for part in PLACES:
        body = json.dumps({**TEMPLATE, "slug": "new", **part}).replace('"NUMBER"', number)
        assert_problem(target.send("create template", body.encode()), 422, "validation_failed")
        assert target.stored() == before, part
