"""Results of visible answers: the rep's flags, the lead's fields, the draft configuration."""

from decimal import Decimal

import pytest

from pipeline.interviews.field_map import apply
from pipeline.interviews.hints import rep_flags
from tests.interviews.language import condition


def configured(*rules, **answers):
    """What the rules yield, without what stays empty."""
    return {name: value for name, value in apply(list(rules), answers).items() if value}


@pytest.mark.parametrize("hints", [None, {}, {"rep_flags": None}])
@pytest.mark.parametrize(
    ("visible", "flags"),
    [
        ({}, []),
        ({"competitors": "Oracle"}, ["competitive_deal"]),
        ({"evaluating_others": True}, ["competitive_deal"]),
        ({"evaluating_others": False}, []),
        ({"timeline": "immediately"}, ["fast_timeline"]),
        ({"timeline": "within_30_days"}, ["fast_timeline"]),
        ({"timeline": "this_year"}, []),
        ({"compliance": ["soc2", "gdpr"]}, ["high_compliance"]),
        ({"compliance": ["soc2"]}, []),
        ({"compliance": "soc2, gdpr"}, []),
    ],
)
def test_a_template_without_flags_gets_built_in_ones_for_conventional_answers(hints, visible, flags):
    assert rep_flags(hints, visible) == flags


def test_an_explicit_empty_list_means_no_flags():
    assert rep_flags({"rep_flags": []}, {"competitors": "Oracle"}) == []


def test_keys_are_collected_as_a_union_in_first_seen_order():
    rules = [
        {"target": "feature_keys", "question": "needs", "map": {"login": ["sso", "mfa"], "logs": "audit"}},
        {"target": "feature_keys", "question": "sso", "map": {"true": "sso"}},
        {"target": "feature_keys", "value": ["api", "audit"]},
        {"target": "platform_keys", "question": "os"},  # without a map the answer is the value
    ]
    answers = {"needs": ["logs", "login"], "sso": True, "os": ["linux", "aix"]}
    expected = {"feature_keys": ["audit", "sso", "mfa", "api"], "platform_keys": ["linux", "aix"]}
    assert configured(*rules, **answers) == expected


def test_license_type_and_quantity_take_the_first_rule_that_yields():
    rules = [
        {"target": "license_type", "question": "model", "map": {"rent": "subscription"}},
        {"target": "license_type", "value": "perpetual"},
        {"target": "quantity", "question": "seats"},
        {"target": "quantity", "value": 10},
    ]
    assert configured(*rules, model="rent", seats=25) == {"license_type": "subscription", "quantity": 25}
    assert configured(*rules, model="buy") == {"license_type": "perpetual", "quantity": 10}


@pytest.mark.parametrize(
    ("seats", "found"),
    [(Decimal("25.0"), {"quantity": 25}), *((wrong, {}) for wrong in (0, -5, Decimal("2.5"), 10**12, "25", True))],
)
def test_a_quantity_is_a_positive_whole_number_or_none(seats, found):
    assert configured({"target": "quantity", "question": "seats"}, seats=seats) == found


def test_a_constant_with_a_question_or_a_condition_waits_for_its_answer():
    asked = {"target": "feature_keys", "question": "notes", "value": "support"}
    large = {"target": "feature_keys", "value": "sso", "when": condition("seats", "gte", 100)}
    assert configured(asked, large, seats=99) == {}
    assert configured(asked, large, notes="please call", seats=100) == {"feature_keys": ["support", "sso"]}


@pytest.mark.parametrize(
    ("answer", "name"), [(False, "false"), (Decimal("3.0"), "3"), (Decimal("2.50"), "2.5"), (0, "0"), (100, "100")]
)
def test_a_map_names_answers_as_they_are_written(answer, name):
    rule = {"target": "license_type", "question": "a", "map": {name: "found"}}
    assert configured(rule, a=answer) == {"license_type": "found"}
