"""Any text as a condition is refused, or means the same as in docs/merge-tags.md; compared with Python's parser."""

import ast
import datetime
import re
from decimal import Decimal

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.contracts import merge
from tests.contracts.merging import MANY, codes
from tests.contracts.test_merge_conditions import PLANS, VALUES, answer, expected, is_short, written

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
WORDS = [
    *FITS,
    "Deal.title=and",
    "Quote.total>5",
    "not",
    "AND",
    "or",
    "has",
    "=",
    "==",
    "!=",
    "<",
    "<>",
    ">=",
    "!",
    "&&",
]
WORDS += ["(", ")", "5", "-7.25", "2026-01-31", "EUR", "linux", "x", "'a'", "'not'", ",", "…"]


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


@settings(MANY, max_examples=150)
@given(damaged() | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), VALUES)
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
