import copy
import datetime
import functools
import operator
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.interviews.answers.answers import check_complete, check_shape, clean, final
from pipeline.interviews.templates.conditions import visible
from pipeline.interviews.templates.field_map import apply
from pipeline.interviews.templates.hints import rep_flags
from tests.interviews.language import EVERY_TYPE, check_template, condition, question, template

MANY = settings(max_examples=50)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["cloud", "other", "seats", "today", "2026-01-31", "\ud800", "a\x00", "", 10**400])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)
TODAY = datetime.date(2026, 1, 31)
COMPARISONS = [
    condition("name", "contains", "a"),
    condition("seats", "gte", 10),
    condition("start", "lt", "2026-06-01"),
    condition("sso", "ne", True),
    condition("product_line", "not_in", ["cloud", "other"]),
    condition("needs", "contains_any", ["server", "none"]),
    condition("urgency", "eq", 5),
    condition("email", "empty"),
    condition("priorities", "contains_any", ["server", "none"]),
    condition("address", "answered"),
    condition("satisfaction", "empty"),
]
CONDITIONS = st.recursive(
    st.sampled_from(COMPARISONS),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).flatmap(lambda parts: st.sampled_from([{"all": parts}, {"any": parts}]))
        | inner.map(lambda part: {"not": part})
    ),
    max_leaves=6,
)


def steps_into(node, so_far=()):
    """The path of every place in a JSON value."""
    yield so_far
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, child in children:
        yield from steps_into(child, (*so_far, step))


def replaced(body, path, value):
    """A copy of a JSON value with another value at the path."""
    if not path:
        return value
    body = copy.deepcopy(body)
    functools.reduce(operator.getitem, path[:-1], body)[path[-1]] = value
    return body


PATHS = list(steps_into(EVERY_TYPE))


@given(st.sampled_from(PATHS), JSON, st.dictionaries(st.text(max_size=5), JSON, max_size=2))
@settings(max_examples=75)
def test_a_checked_condition_never_fails_later(path, value, extra):
    body = replaced(EVERY_TYPE, path, value)
    if check_template(body):
        body = EVERY_TYPE
    questions, patch = body["questions"], {**extra, "needs": value, "seats": value, "name": value, "priorities": value}
    patch |= {"satisfaction": value, "address": value}
    refused = {violation.name for violation in check_shape(questions, patch)}
    answers, _ = clean({key: answer for key, answer in patch.items() if f"answers.{key}" not in refused})
    check_complete(visible(body, final(answers), {}), TODAY)
    counting = visible(body, answers, {}).answers
    assert isinstance(rep_flags(body.get("hints"), counting), list)
    assert isinstance(apply(body.get("field_map"), counting), dict)


@MANY
@given(CONDITIONS)
def test_conditions_over_earlier_questions_of_their_type_can_be_saved(when):
    last = question("last", visible_if=when, required_if=when)
    assert check_template(template(*EVERY_TYPE["questions"], last)) == []


@MANY
@given(CONDITIONS, st.integers(0, 20), st.sampled_from([True, False, None]))
def test_dropping_hidden_answers_changes_no_visibility(when, seats, sso):
    body = template(*EVERY_TYPE["questions"], question("last", visible_if=when))
    answers = {"seats": seats, "sso": sso, "needs": ["server"], "urgency": Decimal("5.0"), "last": "x"}
    once = visible(body, answers, {})
    assert visible(body, once.answers, {}) == once
