"""The condition language, by the vectors that every evaluator of it must pass."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.interviews.conditions import holds, visible
from tests.interviews.language import check_template, condition

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
def test_what_a_prospect_sees_is_what_the_vector_says(vector):
    template = VECTORS["templates"][vector["template"]]
    shown, answers, _ = visible(template, vector["answers"], vector.get("hidden", {}))
    assert [one["key"] for one in shown] == vector["expect"]["questions"]
    assert answers == vector["expect"]["answers"]


@pytest.mark.parametrize("name", VECTORS["templates"])
def test_the_templates_of_the_vectors_could_be_saved(name):
    template = VECTORS["templates"][name]
    assert check_template({name: part for name, part in template.items() if name != "about"}) == []


def test_numbers_read_back_from_the_database_as_floats_compare_by_their_decimal_value():
    assert holds(condition("rate", "eq", Decimal("0.1")), {"rate": 0.1})
