"""The meaning of a template's conditions, as in the table of docs/merge-tags.md; any other text is refused."""

import ast
import datetime
import re
from decimal import Decimal
from html import escape

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.contracts import merge
from tests.contracts.merging import MANY, codes, filled, text_of

FIELDS = {
    "Deal_platforms": [merge.Labelled("GNU/Linux", "linux"), "macOS"],
    "Deal_license_type": merge.Labelled("Perpetual", "perpetual"),
    "Licensee_country": merge.Labelled("Germany", "DE"),
    "Quote_notes": "it's “final”",
}
# Quote.total is 1021.00, Quote.tax_total 0, Quote.date 2026-01-31, Quote.currency EUR; Deal.stage has no value.
TRUE = [
    "Quote.total > 0.125 and Quote.total < 1021.0001",
    "Quote.total>=1021",
    "Quote.total = 1021",
    "Quote.total < 100000",
    "Quote.tax_total = 0",
    "not Quote.tax_total",
    "not Deal.stage",
    "Deal.stage != Won",
    "not Deal.stage = Won",
    "Quote.discount_total != 5",
    "Quote.currency = EUR",
    "Quote.currency = “EUR”",
    "Quote.notes = ‘it’ or Quote.total",
    "Deal.platforms has linux",
    "Deal.platforms has macOS and not Deal.platforms has 'GNU/Linux'",
    "Deal.license_type = perpetual",
    "Licensee.country = DE",
    "Quote.date = 2026-01-31",
    "Quote.date < 2026-02-01 AND Contract.effective_date > 2026-01-31",
    "not Deal.stage and Quote.total",
    "Quote.total or Deal.stage and Deal.stage",
    "not (Deal.stage or Quote.tax_total)",
    "\u00a0Quote.total\u200b > 5",
]
FALSE = [
    "Quote.discount_total < 5",
    "Quote.discount_total > 5",
    "Quote.currency = eur",
    "Quote.currency != EUR",
    "Deal.platforms has windows",
    "Deal.features has a",
    "(Quote.total or Deal.stage) and Deal.stage",
    "not Quote.total or Deal.stage",
]


def asked(condition, **fields):
    """What a paragraph with a condition, and one with its alternative, leave of a contract."""
    quoted = condition.replace("&", "&amp;").replace('"', "&quot;")
    content = f'<p data-if="{quoted}">yes</p>\n<p data-else>no</p>'
    assert codes(merge.sanitize(content)) == []
    return text_of(filled(content, **FIELDS, **fields)).strip()


@pytest.mark.parametrize(
    ("condition", "kept", "else_kept"),
    [*((condition, "yes", "no") for condition in TRUE), *((condition, "no", "yes") for condition in FALSE)],
)
def test_a_condition_keeps_either_its_element_or_the_alternative(condition, kept, else_kept):
    assert asked(condition) == kept
    assert asked(f"not ({condition})") == else_kept


def test_each_copy_of_a_repeated_element_is_asked_by_its_own_line():
    sizes = '<b data-if="Line.net > 100"> big</b><b data-else> small</b>'
    content = f'<ul><li data-each="Quote.lines">{{{{Line.name}}}}{sizes}</li></ul>'
    assert text_of(filled(content)) == "Seat <b> smallSetup big"


def test_a_date_of_the_template_is_a_date_of_the_calendar():
    assert codes('<p data-if="Quote.date = 2026-02-29">a</p>') == ["condition_misfit"]
    assert asked("Quote.date = 2026-01-31", Quote_date=datetime.date(2026, 1, 31)) == "yes"


def test_money_is_compared_exactly():
    assert asked("Quote.total = 0.1", Quote_total=Decimal("0.10")) == "yes"


# A condition as a tree, from which its text is written.
NUMBERS = st.decimals("-9999", "9999", places=2)
LEAVES = st.one_of(
    st.tuples(st.just("Quote.total"), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), NUMBERS),
    st.tuples(st.just("Quote.date"), st.sampled_from(["=", "!=", "<", ">"]), st.dates()),
    st.tuples(st.just("Deal.title"), st.sampled_from(["=", "!="]), st.sampled_from(["Planner", "and", "not-x"])),
    st.tuples(st.just("Deal.platforms"), st.just("has"), st.sampled_from(["linux", "has", "or"])),
    st.tuples(st.sampled_from(["Quote.total", "Deal.title", "Quote.date", "Deal.platforms"])),
)
PLANS = st.recursive(
    LEAVES,
    lambda inner: st.tuples(st.just("not"), inner) | st.tuples(st.sampled_from(["and", "or"]), inner, inner),
    max_leaves=6,
)
VALUES = st.fixed_dictionaries(
    {
        "Quote.total": st.none() | NUMBERS,
        "Quote.date": st.none() | st.dates(),
        "Deal.title": st.none() | st.sampled_from(["Planner", "and", "x"]),
        "Deal.platforms": st.lists(st.sampled_from(["linux", "has", "z"]), max_size=2),
    }
)


BINDING = {"or": 0, "and": 1, "not": 2}


def written(plan, around=0):
    """The text of a plan, with the parentheses that it needs."""
    binding = BINDING.get(plan[0])
    if binding is None:
        return " ".join(str(word) for word in plan)
    parts = [written(part, binding) for part in plan[1:]]
    text = f"not {parts[0]}" if plan[0] == "not" else f" {plan[0].upper()} ".join(parts)
    return f"( {text} )" if binding < around else text


def expected(comparison, values):
    """What a comparison means, as the documentation's table says."""
    tag, *compared = comparison
    value = values[tag]
    if not compared:
        return bool(value)
    operator, other = compared
    if operator == "!=":
        return value != other
    if not value and value != 0:
        return False
    return {
        "has": lambda: other in value,
        "=": lambda: value == other,
        "<": lambda: value < other,
        "<=": lambda: value <= other,
        ">": lambda: value > other,
        ">=": lambda: value >= other,
    }[operator]()


def is_short(text):
    """Whether it is within the limits of a condition."""
    return len(text) <= 500 and text.count("not") <= 20 and text.count("(") <= 20


def answer(text, values):
    """What a template with this condition keeps; None if it is refused."""
    fields = {name.replace(".", "_"): value for name, value in values.items()}
    source = f'<p data-if="{escape(text)}">yes</p><p data-else>no</p>'
    content = merge.sanitize(source)
    if merge.check(content, {}, source):
        return None
    return {"yes": True, "no": False}[text_of(filled(content, **fields))]


# Compared with what Python's parser makes of the words between comparisons.
COMPARED = r"(?:\s*(<=|>=|!=|=|<|>|has\b)\s*('[^']*'|[\w.-]+))?"
TERM = re.compile(rf"(Quote\.total|Quote\.date|Deal\.title|Deal\.platforms){COMPARED}")
NUMBER, DATE = re.compile(r"-?\d+(\.\d+)?"), re.compile(r"\d{4}-\d\d-\d\d")
TEXT = re.compile(rf"'.*'|[^\W\d][\w-]*|{NUMBER.pattern}|{DATE.pattern}")
ORDERED = ("=", "!=", "<", "<=", ">", ">=")
# {tag: (form of a value, its reader, operators)}.
FITS = {
    "Quote.total": (NUMBER, Decimal, ORDERED),
    "Quote.date": (DATE, datetime.date.fromisoformat, ORDERED),
    "Deal.title": (TEXT, lambda value: value.strip("'"), ("=", "!=")),
    "Deal.platforms": (TEXT, lambda value: value.strip("'"), ("has",)),
}
JOINED = re.compile("and|or|not", re.IGNORECASE)
LOGIC = (ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Constant)
WORDS = (
    f"{' '.join(FITS)} Deal.title=and Quote.total>5 not AND or has = == != < <> >= ! && ( ) 5 -7.25 2026-01-31 EUR"
    " linux x 'a' 'not' , …"
).split()


def oracle(text, values):
    """Whether a text is true by the documentation; None if it is not allowed."""

    def settled(found):
        tag, operator, value = found.groups()
        if operator is None:
            return str(expected([tag], values))
        form, read, operators = FITS[tag]
        fits = operator in operators and form.fullmatch(value)
        return str(expected([tag, operator, read(value)], values)) if fits else "?"

    logic = JOINED.sub(lambda word: word[0].lower(), TERM.sub(settled, text))
    try:
        tree = ast.parse(logic, mode="eval")
    except SyntaxError:
        return None
    nodes = list(ast.walk(tree))
    allowed = all(isinstance(node, LOGIC) and isinstance(getattr(node, "value", True), bool) for node in nodes)
    return truth(tree.body) if allowed else None


def truth(node):
    """The value of a tree of constants."""
    if isinstance(node, ast.BoolOp):
        return (all if isinstance(node.op, ast.And) else any)(map(truth, node.values))
    return not truth(node.operand) if isinstance(node, ast.UnaryOp) else node.value


@st.composite
def damaged(draw):
    """The text of a plan, often with a word less, more or another one."""
    words = written(draw(PLANS)).split()
    place = draw(st.integers(0, len(words)))
    words[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(WORDS), max_size=1))
    return " ".join(words)


@settings(MANY, max_examples=250)
@given(PLANS.map(written) | damaged() | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), VALUES)
def test_whatever_is_written_is_refused_or_means_what_the_table_says(text, values):
    assume(is_short(text.lower()))
    assert answer(text, values) == oracle(text, values)


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=40))
def test_a_condition_is_refused_or_kept_word_for_word(text):
    quoted = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    content = merge.sanitize(f'<p data-if="{quoted}">yes</p>')
    if codes(content) == []:
        assert merge.check(content, {}, f'<p data-if="{quoted}">yes</p>') == []
        assert merge.sanitize(content) == content
