"""Objects and arrays inside of a body: as strict as the body, every violation at its place."""

import pytest

from pipeline import validation as schema
from pipeline.validation import Invalid


class Part(schema.Body):
    """One part."""

    name = schema.required(schema.Text(max_length=5))
    size = schema.optional(schema.Integer(), default=1)


class Whole(schema.Body):
    """A body with both kinds."""

    parts = schema.optional(schema.Listing(schema.Group(Part()), max_items=3), default=[])
    keys = schema.optional(schema.Listing(schema.Text(), max_items=3, unique=True), default=[])
    main = schema.optional(schema.Group(Part()))
    link = schema.optional(schema.HttpsUrl())


def test_what_is_right_is_read_with_its_defaults():
    body = {"parts": [{"name": " a "}], "keys": ["x", "y"], "main": {"name": "b", "size": 2}, "link": None}
    assert schema.deserialize(Whole(), body) == {**body, "parts": [{"name": "a", "size": 1}]}


def test_what_is_left_out_or_null_has_its_default():
    nothing = {"parts": [], "keys": [], "main": None, "link": None}
    assert schema.deserialize(Whole(), {}) == schema.deserialize(Whole(), dict.fromkeys(nothing)) == nothing


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"parts": {}}, {"parts": "wrong_type"}),
        ({"parts": [{"name": "a"}] * 4}, {"parts": "too_long"}),
        ({"parts": [{"name": "long name"}, {"name": 1}]}, {"parts.0.name": "too_long", "parts.1.name": "wrong_type"}),
        ({"parts": [{"name": "a", "colour": 1}]}, {"parts.0.colour": "unknown_field"}),
        ({"parts": [None, 5]}, {"parts.0": "required", "parts.1": "wrong_type"}),
        ({"keys": ["a", "b", "a"]}, {"keys.2": "repeated"}),
        ({"keys": ["a", ""]}, {"keys.1": "required"}),
        ({"main": []}, {"main": "wrong_type"}),
        ({"main": {"size": -1}}, {"main.name": "required", "main.size": "out_of_range"}),
        ({"link": "http://a.example"}, {"link": "invalid_url"}),
        ({"link": "https://user@a.example"}, {"link": "invalid_url"}),
    ],
)
def test_what_is_wrong_is_named_by_its_whole_path(body, found):
    with pytest.raises(Invalid) as refused:
        schema.deserialize(Whole(), body)
    assert {violation.name: violation.code for violation in refused.value.violations} == found
