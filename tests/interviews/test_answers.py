"""Rules for answers that are saved while typing, and at the submit."""

import datetime
from decimal import Decimal

import pytest

from pipeline.interviews.answer_shapes import COUNTRIES
from pipeline.interviews.answers import check_complete, check_shape, clean, final
from pipeline.interviews.conditions import visible
from pipeline.validation.postal_codes import is_postal_code, postal_form
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


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("name", "A"),
        ("email", "ada@"),
        ("start", "2026-0"),
        ("seats", 0),
        ("seats", Decimal("2.5")),
        ("sso", False),
        ("product_line", "other"),
        ("product_line__other", "Mainframe"),
        ("needs", []),
        ("needs", ["cloud", "none"]),
        ("urgency", Decimal("3.0")),
        ("priorities", ["none"]),
        ("satisfaction", {"price": "bad"}),
        ("satisfaction", {"price": None}),
        ("satisfaction", {}),
        ("address", {"city": "Paris ", "street": ""}),
    ],
)
def test_an_unfinished_answer_of_the_right_shape_can_be_saved(key, answer):
    assert shape({key: answer}) == {}


@pytest.mark.parametrize("nothing", [None, ""])
def test_null_and_the_empty_text_clear_an_answer_of_any_type(nothing):
    patch = {one["key"]: nothing for one in QUESTIONS if one["type"] != "statement"}
    assert shape({**patch, "needs__other": nothing}) == {}
    assert clean(patch) == ({}, list(patch))


@pytest.mark.parametrize(
    ("key", "answer", "code"),
    [
        ("nmae", "Ada", "unknown_question"),
        ("name__other", "x", "unknown_question"),
        ("__other", "x", "unknown_question"),
        ("thanks", "x", "unknown_question"),
        ("name", 5, "wrong_type"),
        ("name", "x" * 81, "too_long"),
        ("notes", "x" * 5001, "too_long"),
        ("notes", "a\x00b", "invalid_characters"),
        ("notes", "\udfff", "invalid_characters"),
        ("email", "x" * 255, "too_long"),
        ("start", "2026-01-311", "too_long"),
        ("seats", "5", "wrong_type"),
        ("seats", True, "wrong_type"),
        ("seats", 10**15, "out_of_range"),
        ("seats", Decimal("1E+999999"), "out_of_range"),
        ("seats", Decimal("0.1234567890123456"), "out_of_range"),
        ("sso", 1, "wrong_type"),
        ("sso", "true", "wrong_type"),
        ("urgency", Decimal("3.5"), "wrong_type"),
        ("product_line", "mainframe", "invalid_choice"),
        ("product_line", ["cloud"], "wrong_type"),
        ("product_line__other", "x" * 256, "too_long"),
        ("needs", "cloud", "wrong_type"),
        ("needs", [1], "wrong_type"),
        ("needs", ["cloud", "mainframe"], "invalid_choice"),
        ("needs", ["cloud", "cloud"], "duplicate_option"),
        ("priorities", "cloud", "wrong_type"),
        ("priorities", ["cloud", "cloud"], "duplicate_option"),
        ("priorities", ["mainframe"], "invalid_choice"),
        ("satisfaction", ["good"], "wrong_type"),
        ("address", "Paris", "wrong_type"),
    ],
)
def test_an_answer_of_the_wrong_shape_is_never_saved(key, answer, code):
    assert shape({key: answer}) == {f"answers.{key}": code}


@pytest.mark.parametrize(
    ("answer", "place", "code"),
    [
        ({"satisfaction": {"price": "ugly"}}, "satisfaction.price", "invalid_choice"),
        ({"satisfaction": {"price": ["good"]}}, "satisfaction.price", "wrong_type"),
        ({"satisfaction": {"speed": "good"}}, "satisfaction.speed", "invalid_choice"),
        ({"address": {"country": "Germany"}}, "address.country", "invalid_choice"),
        ({"address": {"country": "EU"}}, "address.country", "invalid_choice"),
        ({"address": {"zip": "1"}}, "address.zip", "unknown_field"),
        ({"address": {"city": "x" * 101}}, "address.city", "too_long"),
        ({"address": {"city": 5}}, "address.city", "wrong_type"),
    ],
)
def test_a_wrong_part_of_an_answer_is_named(answer, place, code):
    assert shape(answer) == {f"answers.{place}": code}


def test_parts_that_are_empty_are_left_out_and_no_part_is_no_answer():
    given = {"satisfaction": {"price": None}, "address": {"city": "Zürich", "region": "", "street": None}}
    assert clean(given) == ({"address": {"city": "Zürich"}}, ["satisfaction"])
    assert final({"address": {"city": " Bern ", "region": " "}}) == {"address": {"city": "Bern"}}


def test_a_required_matrix_asks_for_every_row_and_a_required_address_for_what_a_letter_needs():
    matrix = question("it", "matrix", rows=ROWS, columns=ROWS, required=True)
    assert complete(matrix, {}) == {"answers.it": "required"}
    assert complete(matrix, {"it": {"a": "b"}}) == {"answers.it.b": "required"}
    assert complete(matrix, {"it": {"a": "b", "b": "b"}}) == {}
    address = question("it", "address", required=True)
    assert complete(address, {"it": {"city": "Bern", "country": "CH"}}) == {"answers.it.street": "required"}
    assert complete({**address, "required": False}, {"it": {"city": "Bern"}}) == {}


def test_a_ranking_is_as_long_as_it_must_be():
    ranking = question("it", "ranking", options=ROWS, min_ranked=2)
    assert complete(ranking, {"it": ["b"]}) == {"answers.it": "too_few"}
    assert complete(ranking, {"it": ["b", "a"]}) == complete(ranking, {}) == {}


def test_text_is_normalised_but_not_trimmed_while_typing():
    assert clean({"name": "Rene\u0301 "}) == ({"name": "René "}, [])
    assert clean({"name": "René ", "notes": "  "}, trim=True) == ({"name": "René"}, ["notes"])


def test_final_answers_are_trimmed_and_hold_nothing_empty():
    assert final({"name": " Ada ", "notes": "  ", "needs": [], "sso": False}) == {"name": "Ada", "sso": False}


def test_a_whole_interview_can_be_submitted():
    answers = {
        "name": "Ada Lovelace",
        "email": "ada@acme.example",
        "phone": "+44 20 7946 0958",
        "website": "https://acme.example/about",
        "seats": 600,
        "start": "2026-01-31",
        "sso": True,
        "terms": True,
        "product_line": "other",
        "product_line__other": "Appliance",
        "needs": ["cloud", "server"],
        "urgency": 10,
    }
    assert check_shape(QUESTIONS, answers) == []
    assert complete(EVERY_TYPE, answers) == {}


def test_a_required_question_that_is_hidden_is_not_asked():
    body = template(
        question("sso", "yes_no"),
        question("provider", required=True, visible_if=condition("sso", "eq", True)),
        question("reason", required_if=condition("sso", "eq", False)),
    )
    assert complete(body, {}) == {}
    assert complete(body, {"sso": True}) == {"answers.provider": "required"}
    assert complete(body, {"sso": False}) == {"answers.reason": "required"}


def test_a_wrong_answer_of_a_hidden_question_does_not_stand_in_the_way():
    body = template(question("sso", "yes_no"), question("mail", "email", visible_if=condition("sso", "eq", True)))
    assert complete(body, {"sso": False, "mail": "half@"}) == {}


@pytest.mark.parametrize(
    ("fields", "answer", "code"),
    [
        ({"min_length": 3}, "ab", "too_short"),
        ({"min_length": 3}, " ab ", "too_short"),
        ({"pattern": "[A-Z]{2}"}, "ABC", "invalid_format"),
        ({"pattern": "a|b"}, "ab", "invalid_format"),
        ({"type": "email"}, "ada@", "invalid_email"),
        ({"type": "phone"}, "call me", "invalid_phone"),
        ({"type": "phone"}, "12345", "invalid_phone"),
        ({"type": "phone"}, "+1 2345 6789 0123 4567", "invalid_phone"),
        ({"type": "url"}, "acme", "invalid_url"),
        ({"type": "url"}, "javascript:alert(1)", "invalid_url"),
        ({"type": "url"}, "https://user:secret@acme.example", "invalid_url"),
        ({"type": "url"}, "http://[", "invalid_url"),
        ({"type": "date"}, "2026-02-30", "invalid_date"),
        ({"type": "date"}, "31.01.2026", "invalid_date"),
        ({"type": "date", "min": "today"}, "2026-01-30", "out_of_range"),
        ({"type": "date", "max": "today"}, "2026-02-01", "out_of_range"),
        ({"type": "date", "max": "2025-12-31"}, "2026-01-01", "out_of_range"),
        ({"type": "number", "integer": True}, Decimal("2.5"), "not_an_integer"),
        ({"type": "number", "min": 1}, 0, "out_of_range"),
        ({"type": "number", "max": Decimal("0.3")}, Decimal("0.31"), "out_of_range"),
        ({"type": "scale"}, 6, "out_of_range"),
        ({"type": "scale", "min": 0, "max": 10}, -1, "out_of_range"),
        ({"type": "consent", "required": True}, False, "must_be_true"),
        ({"type": "multi_choice", "min_selected": 2}, ["cloud"], "too_few"),
        ({"type": "multi_choice", "max_selected": 1}, ["cloud", "server"], "too_many"),
    ],
)
def test_an_answer_must_keep_the_rules_of_its_question(fields, answer, code):
    one = question("a", **{"type": "short_text", **fields})
    assert complete(one, {"a": answer}) == {"answers.a": code}


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"pattern": r"\d{4}"}, "2026"),
        ({"type": "phone"}, "(030) 901820"),
        ({"type": "phone"}, "555-123-4567 ext. 89"),
        ({"type": "url"}, "http://münchen.example:8080/a?b=c#d"),
        ({"type": "date", "min": "today", "max": "today"}, "2026-01-31"),
        ({"type": "number", "min": 0, "max": 0}, 0),
        ({"type": "number", "integer": True}, Decimal("2.0")),
        ({"type": "scale"}, 5),
        ({"type": "consent"}, False),
        ({"type": "yes_no", "required": True}, False),
    ],
)
def test_an_answer_at_the_edge_of_the_rules_is_right(fields, answer):
    assert complete(question("a", **{"type": "short_text", **fields}), {"a": answer}) == {}


@pytest.mark.parametrize(("kind", "answer"), [("single_choice", "other"), ("multi_choice", ["other"])])
def test_other_wants_its_text(kind, answer):
    one = question("a", kind, allow_other=True)
    assert complete(one, {"a": answer}) == {"answers.a__other": "required"}
    assert complete(one, {"a": answer, "a__other": "Mainframe"}) == {}


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


@pytest.mark.parametrize(
    ("country", "code"),
    [
        ("DE", " D-80331 "),
        ("DE", "８０３３１"),
        ("DE", "٨٠٣٣١"),
        ("GB", "ec1y8sy"),
        ("JP", "〒154–0023"),
        ("LV", "1010"),
        ("NL", "1234ab"),
        ("PL", "00950"),
        ("US", "22162-1010"),
        ("AE", "any"),
        ("HK", ""),
    ],
)
def test_a_postal_code_is_read_as_people_of_its_country_write_it(country, code):
    asked = question("address", type="address", required=True)
    address = {"street": "Way 1", "city": "Town", "country": country, "postal_code": code}
    assert complete(asked, {"address": address}) == {}


@pytest.mark.parametrize(
    ("country", "code"),
    [("DE", "8033"), ("DE", "80331x"), ("GB", "80331"), ("GB", "GIR 0AAX"), ("US", "9501"), ("CH", "-")],
)
def test_a_postal_code_of_another_form_is_refused_at_submit_alone(country, code):
    address = {"country": country, "postal_code": code}
    assert shape({"address": address}) == {}
    asked = question("address", type="address")
    assert complete(asked, {"address": address}) == {"answers.address.postal_code": "invalid_postal_code"}


def test_every_example_of_a_postal_code_is_right():
    examples = [(example, country) for country in COUNTRIES for example in postal_form(country).examples]
    assert len(examples) > 300
    assert [pair for pair in examples if not is_postal_code(*pair)] == []
    assert [
        country for country in COUNTRIES if postal_form(country).patterns and not postal_form(country).examples
    ] == []
