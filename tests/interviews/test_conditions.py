"""The condition language, by the vectors that every evaluator of it must pass, and where templates may use it."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.interviews.templates.conditions import holds, visible
from tests.interviews.language import condition, question, violations_of

VECTORS = json.loads(Path(__file__).with_name("condition_vectors.json").read_text("utf-8"), parse_float=Decimal)


def named(vectors):
    return [pytest.param(vector, id=vector["name"]) for vector in vectors]


@pytest.mark.parametrize("vector", named(VECTORS["comparisons"]))
def test_a_comparison_holds_as_its_vector_says(vector):
    held = {op: holds(condition("q", op, vector.get("value")), vector["answers"]) for op in vector["expect"]}
    assert held == vector["expect"]


@pytest.mark.parametrize("vector", named(VECTORS["conditions"]))
def test_a_condition_holds_as_its_vector_says(vector):
    assert holds(vector["condition"], vector["answers"]) is vector["expect"]


@pytest.mark.parametrize("vector", named(VECTORS["visibility"]))
def test_visible_questions_are_those_of_the_vector(vector):
    template = VECTORS["templates"][vector["template"]]
    shown, answers, _ = visible(template, vector["answers"], vector.get("hidden", {}))
    assert [one["key"] for one in shown] == vector["expect"]["questions"]
    assert answers == vector["expect"]["answers"]


def test_numbers_read_back_from_the_database_as_floats_compare_by_their_decimal_value():
    assert holds(condition("rate", "eq", Decimal("0.1")), {"rate": 0.1})


def test_a_condition_nests_at_most_ten_levels():
    nested = condition("a", "answered")
    for _ in range(9):
        nested = {"not": nested}
    assert violations_of(question("a"), question("b", visible_if=nested)) == {}
    assert "too_deep" in violations_of(question("a"), question("b", visible_if={"not": nested})).values()


def test_a_condition_of_a_question_a_page_or_an_option_names_earlier_questions_alone():
    later, itself = {"all": [condition("b", "answered")]}, condition("a", "answered")
    place, question_b = "questions.0.visible_if.all.0.question", question("b")
    assert violations_of(question("a", visible_if=later), question_b) == {place: "not_earlier_question"}
    unknown = question("a", required_if=condition("z", "empty"))
    assert violations_of(unknown) == {"questions.0.required_if.question": "unknown_question"}
    pages = [{"key": "p", "questions": ["a"], "visible_if": itself}]
    assert violations_of(question("a"), pages=pages) == {"pages.0.visible_if.question": "not_earlier_question"}
    choice = question("a", "single_choice", options=[{"value": "x", "label": "X", "visible_if": itself}])
    assert violations_of(choice) == {"questions.0.options.0.visible_if.question": "not_earlier_question"}


def test_earlier_means_the_order_of_the_pages_not_of_the_array():
    pages = [{"key": "p", "questions": ["b"]}, {"key": "r", "questions": ["a"]}]
    assert violations_of(question("a", visible_if=condition("b", "answered")), question("b"), pages=pages) == {}


@pytest.mark.parametrize(
    ("kind", "comparison", "place", "code"),
    [
        ("single_choice", {"op": "like", "value": "x"}, "op", "invalid_choice"),
        ("single_choice", {"op": "eq", "value": 5}, "value", "wrong_type"),
        ("single_choice", {"op": "eq", "value": "mainframe"}, "value", "invalid_choice"),
        ("single_choice", {"op": "in", "value": "cloud"}, "value", "wrong_type"),
        ("single_choice", {"op": "in", "value": ["cloud", "mainframe"]}, "value.1", "invalid_choice"),
        ("single_choice", {"op": "answered", "value": True}, "value", "unknown_field"),
        ("number", {"op": "gte", "value": "5"}, "value", "wrong_type"),
        ("number", {"op": "contains", "value": 5}, "op", "operator_misfit"),
        ("scale", {"op": "eq", "value": 9}, "value", "out_of_range"),
        ("date", {"op": "gt", "value": "today"}, "value", "invalid_date"),
        ("yes_no", {"op": "eq", "value": 1}, "value", "wrong_type"),
        ("multi_choice", {"op": "eq", "value": "cloud"}, "op", "operator_misfit"),
        ("multi_choice", {"op": "contains", "value": "other"}, "value", "invalid_choice"),
        ("short_text", {"op": "gt", "value": "a"}, "op", "operator_misfit"),
        ("statement", {"op": "answered"}, "op", "operator_misfit"),
    ],
)
def test_operator_and_value_must_fit_the_question(kind, comparison, place, code):
    found = violations_of(question("a", kind), question("b", visible_if={"question": "a", **comparison}))
    assert found == {f"questions.1.visible_if.{place}": code}


@pytest.mark.parametrize("broken", [[], "a", {}, {"all": []}, {"all": {}}, {"not": None}, {"op": "eq"}])
def test_a_condition_of_no_known_form_is_refused(broken):
    assert violations_of(question("a"), question("b", visible_if=broken))
