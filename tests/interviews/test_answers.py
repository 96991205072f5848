import datetime
from decimal import Decimal

import pytest

from pipeline.interviews.answers.answers import check_complete, check_shape, clean, final, narrowed
from pipeline.interviews.templates.conditions import visible
from tests.interviews.language import EVERY_TYPE, condition, question, template

TODAY = datetime.date(2026, 1, 31)
QUESTIONS = EVERY_TYPE["questions"]
ROWS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]


def shape(patch):
    return {found.name: found.code for found in check_shape(QUESTIONS, patch)}


def complete(one, answers):
    """The violations at submit of an interview of one question, or of a template."""
    body = one if "pages" in one else template(one)
    found = check_complete(visible(body, final(answers), {}), TODAY)
    return {violation.name: violation.code for violation in found}


def test_unfinished_answers_of_the_right_shape_can_be_saved():
    patch = {
        "name": "A",
        "email": "ada@",
        "start": "2026-0",
        "product_line": "other",
        "product_line__other": "Mainframe",
        "needs": ["cloud", "none"],
        "urgency": Decimal("3.0"),
        "priorities": ["none"],
        "address": {"city": "Paris ", "street": ""},
    }
    assert shape(patch) == {}


@pytest.mark.parametrize("nothing", [None, ""])
def test_null_and_the_empty_text_clear_an_answer_of_any_type(nothing):
    patch = {one["key"]: nothing for one in QUESTIONS if one["type"] != "statement"}
    assert shape({**patch, "needs__other": nothing}) == {}
    assert clean(patch) == ({}, list(patch))


@pytest.mark.parametrize(
    ("place", "answer", "code"),
    [
        ("nmae", "Ada", "unknown_question"),
        ("thanks", "x", "unknown_question"),
        ("name", 5, "wrong_type"),
        ("name", "x" * 81, "too_long"),
        ("notes", "x" * 5001, "too_long"),
        ("name", "👍🏽" * 81, "too_long"),
        ("name", "e" + "\u0301" * 1000, "too_long"),
        ("notes", "a\x00b", "invalid_characters"),
        ("notes", "\udfff", "invalid_characters"),
        ("seats", "5", "wrong_type"),
        ("seats", True, "wrong_type"),
        ("seats", 10**15, "out_of_range"),
        ("seats", Decimal("1E+999999"), "out_of_range"),
        ("seats", Decimal("0.1234567890123456"), "out_of_range"),
        ("sso", 1, "wrong_type"),
        ("urgency", Decimal("3.5"), "wrong_type"),
        ("product_line", "mainframe", "invalid_choice"),
        ("product_line__other", "x" * 256, "too_long"),
        ("needs", "cloud", "wrong_type"),
        ("needs", ["cloud", "cloud"], "duplicate_option"),
        ("satisfaction", ["good"], "wrong_type"),
        ("satisfaction.price", {"price": "ugly"}, "invalid_choice"),
        ("satisfaction.speed", {"speed": "good"}, "invalid_choice"),
        ("address", "Paris", "wrong_type"),
        ("address.country", {"country": "EU"}, "invalid_choice"),
        ("address.zip", {"zip": "1"}, "unknown_field"),
        ("address.city", {"city": "x" * 101}, "too_long"),
    ],
)
def test_an_answer_of_the_wrong_shape_is_never_saved_and_the_wrong_part_is_named(place, answer, code):
    assert shape({place.partition(".")[0]: answer}) == {f"answers.{place}": code}


def test_empty_parts_are_left_out_and_text_is_normalised_while_typing_and_trimmed_in_the_end():
    given = {"satisfaction": {"price": None}, "address": {"city": "Zürich", "region": "", "street": None}}
    assert clean(given) == ({"address": {"city": "Zürich"}}, ["satisfaction"])
    assert clean({"name": "Rene\u0301 "}) == ({"name": "René "}, [])
    given = {"name": " Ada ", "notes": "  ", "needs": [], "sso": False, "address": {"city": " Bern ", "region": " "}}
    assert final(given) == {"name": "Ada", "sso": False, "address": {"city": "Bern"}}


def test_a_required_matrix_asks_for_every_row_and_a_required_address_for_what_a_letter_needs():
    matrix = question("it", "matrix", rows=ROWS, columns=ROWS, required=True)
    assert complete(matrix, {"it": {"a": "b"}}) == {"answers.it.b": "required"}
    address = question("it", "address", required=True)
    assert complete(address, {"it": {"city": "Bern", "country": "CH"}}) == {"answers.it.street": "required"}
    assert complete({**address, "required": False}, {"it": {"city": "Bern"}}) == {}


def test_a_question_that_is_hidden_is_neither_asked_nor_checked():
    body = template(
        question("sso", "yes_no"),
        question("provider", "email", required=True, visible_if=condition("sso", "eq", True)),
        question("reason", required_if=condition("sso", "eq", False)),
    )
    assert complete(body, {"provider": "half@"}) == {}
    assert complete(body, {"sso": True}) == {"answers.provider": "required"}
    assert complete(body, {"sso": False}) == {"answers.reason": "required"}


@pytest.mark.parametrize(
    ("fields", "answer", "code"),
    [
        ({"min_length": 3}, " ab ", "too_short"),
        ({"pattern": "[A-Z]{2}"}, "ABC", "invalid_format"),
        ({"pattern": "a|b"}, "ab", "invalid_format"),
        ({"type": "email"}, "ada@", "invalid_email"),
        ({"type": "phone"}, "call me", "invalid_phone"),
        ({"type": "phone"}, "+1 2345 6789 0123 4567", "invalid_phone"),
        ({"type": "url"}, "javascript:alert(1)", "invalid_url"),
        ({"type": "url"}, "https://user:secret@acme.example", "invalid_url"),
        ({"type": "url"}, "http://[", "invalid_url"),
        ({"type": "date"}, "2026-02-30", "invalid_date"),
        ({"type": "date", "min": "today"}, "2026-01-29", "out_of_range"),
        ({"type": "date", "max": "today"}, "2026-02-02", "out_of_range"),
        ({"type": "date", "max": "2026-01-31"}, "2026-02-01", "out_of_range"),
        ({"type": "number", "integer": True}, Decimal("2.5"), "not_an_integer"),
        ({"type": "number", "min": 1}, 0, "out_of_range"),
        ({"type": "number", "max": Decimal("0.3")}, Decimal("0.31"), "out_of_range"),
        ({"type": "scale"}, 6, "out_of_range"),
        ({"type": "consent", "required": True}, False, "must_be_true"),
        ({"type": "multi_choice", "min_selected": 2}, ["cloud"], "too_few"),
        ({"type": "multi_choice", "max_selected": 1}, ["cloud", "server"], "too_many"),
        ({"type": "ranking", "options": ROWS, "min_ranked": 2}, ["b"], "too_few"),
        # At the edge of the rules:
        ({"pattern": r"\d{4}"}, "2026", None),
        ({"type": "phone"}, "555-123-4567 ext. 89", None),
        ({"type": "url"}, "http://münchen.example:8080/a?b=c#d", None),
        ({"type": "date", "min": "today", "max": "today"}, "2026-01-31", None),
        # The visitor's day is another one than the organization's.
        ({"type": "date", "min": "today", "max": "today"}, "2026-01-30", None),
        ({"type": "date", "min": "today", "max": "today"}, "2026-02-01", None),
        ({"type": "number", "min": 0, "max": 0}, 0, None),
        ({"type": "number", "integer": True}, Decimal("2.0"), None),
        ({"type": "yes_no", "required": True}, False, None),
        ({"type": "ranking", "options": ROWS, "min_ranked": 2}, [], None),
    ],
)
def test_an_answer_must_keep_the_rules_of_its_question(fields, answer, code):
    one = question("a", **{"type": "short_text", **fields})
    assert complete(one, {"a": answer}) == ({"answers.a": code} if code else {})


def test_typed_texts_are_stored_in_narrow_signs_and_values_of_options_as_they_are():
    same = {"needs": ["Ａ"], "seats": 1}
    wide = {"email": "ada＠engine．example", "address": {"city": "Ｂｅｒｎ"}, "product_line__other": "Ｂ"}
    plain = {"email": "ada@engine.example", "address": {"city": "Bern"}, "product_line__other": "B"}
    assert narrowed(QUESTIONS, {**wide, **same}) == {**plain, **same}


def test_an_exclusive_option_stands_alone_and_is_enough():
    options = [{"value": "x", "label": "X"}, {"value": "none", "label": "None", "exclusive": True}]
    one = question("a", "multi_choice", options=options, min_selected=2)
    assert complete(one, {"a": ["x", "none"]}) == {"answers.a": "exclusive_option"}
    assert complete(one, {"a": ["none"]}) == {}


def test_a_required_choice_whose_option_is_hidden_must_be_made_again():
    hidden = {"value": "x", "label": "X", "visible_if": condition("sso", "eq", True)}
    plan = question("plan", "single_choice", required=True, options=[hidden, {"value": "y", "label": "Y"}])
    body = template(question("sso", "yes_no"), plan)
    assert complete(body, {"sso": True, "plan": "x"}) == {}
    assert complete(body, {"sso": False, "plan": "x"}) == {"answers.plan": "required"}
