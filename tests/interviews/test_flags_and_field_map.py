"""Results of visible answers: the rep's flags, the lead's fields, the draft configuration."""

from decimal import Decimal

import pytest

from pipeline.interviews.field_map import apply
from pipeline.interviews.hints import lead_field_keys, rep_flags
from tests.interviews.language import condition, question


def configured(*rules, **answers):
    """What the rules yield, without what stays empty."""
    return {name: value for name, value in apply(list(rules), answers).items() if value}


def test_flags_stand_in_the_order_of_the_template():
    rules = [
        {"flag": "wants_sso", "when": condition("sso", "eq", True)},
        {"flag": "big", "when": condition("seats", "gt", 500)},
        {"flag": "small", "when": condition("seats", "lte", 500)},
    ]
    assert rep_flags({"rep_flags": rules}, {"seats": 501, "sso": True}) == ["wants_sso", "big"]


@pytest.mark.parametrize("hints", [None, {}, {"rep_flags": None}, {"lead_fields": {}}])
def test_a_template_without_flags_gets_the_built_in_ones(hints):
    visible = {"competitors": "Oracle", "timeline": "immediately", "compliance": ["soc2", "gdpr"]}
    assert rep_flags(hints, visible) == ["competitive_deal", "fast_timeline", "high_compliance"]


@pytest.mark.parametrize(
    ("visible", "flags"),
    [
        ({}, []),
        ({"evaluating_others": True}, ["competitive_deal"]),
        ({"evaluating_others": False}, []),
        ({"timeline": "within_30_days"}, ["fast_timeline"]),
        ({"timeline": "this_year"}, []),
        ({"compliance": ["soc2"]}, []),
        ({"compliance": "soc2, gdpr"}, []),
    ],
)
def test_built_in_flags_follow_the_conventional_answers(visible, flags):
    assert rep_flags({}, visible) == flags


def test_an_explicit_empty_list_means_no_flags():
    assert rep_flags({"rep_flags": []}, {"competitors": "Oracle"}) == []


def test_hints_say_which_question_holds_a_lead_field_and_keys_of_that_name_need_none():
    questions = [question("email", "email"), question("company"), question("name", "yes_no")]
    assert lead_field_keys({"lead_fields": {"company": "employer"}}, questions) == {
        "email": "email",
        "company": "employer",
    }


def test_nothing_configured_is_said_plainly():
    nothing = {"platform_keys": [], "feature_keys": [], "license_type": None, "quantity": None}
    assert apply(None, {"seats": 5}) == nothing


def test_without_a_map_the_answer_is_the_value():
    rule = {"target": "platform_keys", "question": "os"}
    assert configured(rule, os="linux") == {"platform_keys": ["linux"]}
    assert configured(rule, os=["linux", "aix"]) == {"platform_keys": ["linux", "aix"]}


def test_keys_are_collected_as_a_union_in_first_seen_order():
    rules = [
        {"target": "feature_keys", "question": "needs", "map": {"login": ["sso", "mfa"], "logs": "audit"}},
        {"target": "feature_keys", "question": "sso", "map": {"true": "sso"}},
        {"target": "feature_keys", "value": ["api", "audit"]},
    ]
    assert configured(*rules, needs=["logs", "login"], sso=True) == {"feature_keys": ["audit", "sso", "mfa", "api"]}


def test_license_type_and_quantity_take_the_first_rule_that_yields():
    rules = [
        {"target": "license_type", "question": "model", "map": {"rent": "subscription"}},
        {"target": "license_type", "value": "perpetual"},
        {"target": "quantity", "question": "seats"},
        {"target": "quantity", "value": 10},
    ]
    assert configured(*rules, model="rent", seats=25) == {"license_type": "subscription", "quantity": 25}
    assert configured(*rules, model="buy") == {"license_type": "perpetual", "quantity": 10}


@pytest.mark.parametrize("seats", [0, -5, Decimal("2.5"), 10**12, "25", True])
def test_a_quantity_is_a_positive_whole_number_or_none(seats):
    assert configured({"target": "quantity", "question": "seats"}, seats=seats) == {}


def test_a_quantity_written_with_a_point_is_whole():
    assert configured({"target": "quantity", "question": "seats"}, seats=Decimal("25.0")) == {"quantity": 25}


def test_a_constant_with_a_question_waits_for_its_answer():
    rule = {"target": "feature_keys", "question": "notes", "value": "support"}
    assert configured(rule) == {}
    assert configured(rule, notes="please call") == {"feature_keys": ["support"]}


def test_a_rule_applies_only_when_its_condition_holds():
    rule = {"target": "feature_keys", "value": "sso", "when": condition("seats", "gte", 100)}
    assert configured(rule, seats=99) == {}
    assert configured(rule, seats=100) == {"feature_keys": ["sso"]}


@pytest.mark.parametrize(
    ("answer", "name"), [(False, "false"), (Decimal("3.0"), "3"), (Decimal("2.50"), "2.5"), (0, "0"), (100, "100")]
)
def test_a_map_names_answers_as_they_are_written(answer, name):
    rule = {"target": "license_type", "question": "a", "map": {name: "found"}}
    assert configured(rule, a=answer) == {"license_type": "found"}
