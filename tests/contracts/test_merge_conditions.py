"""The meaning of a template's conditions, as in the table of docs/merge-tags.md; any other text is refused."""

import ast
import datetime
import re
from decimal import Decimal
from html import escape
from operator import contains, eq, ge, gt, le, lt, ne

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
    "not Deal.stage = Won",
    "Quote.currency = EUR",
    "Quote.currency = “EUR”",
    "Quote.notes = ‘it’ or Quote.total",
    "Deal.platforms has linux",
    "Deal.platforms has macOS and not Deal.platforms has 'GNU/Linux'",
    "Deal.license_type = perpetual",
    "Licensee.country = DE",
    "Quote.date < 2026-02-01 AND Contract.effective_date > 2026-01-31",
    "not (Deal.stage or Quote.tax_total)",
    "\u00a0Quote.total\u200b > 5",
]
FALSE = [
    "Quote.discount_total < 5",
    "Quote.currency = eur",
    "Quote.currency != EUR",
    "Deal.platforms has windows",
    "Deal.features has a",
]


@pytest.mark.parametrize(
    ("condition", "kept", "else_kept"),
    [*((condition, "yes", "no") for condition in TRUE), *((condition, "no", "yes") for condition in FALSE)],
)
def test_a_condition_keeps_either_its_element_or_the_alternative(condition, kept, else_kept):
    for text, left in ((condition, kept), (f"not ({condition})", else_kept)):
        content = f'<p data-if="{escape(text)}">yes</p><p data-else>no</p>'
        assert codes(merge.sanitize(content)) == []
        assert text_of(filled(content, **FIELDS)) == left


def test_each_copy_of_a_repeated_element_is_asked_by_its_own_line():
    sizes = '<b data-if="Line.net > 100"> big</b><b data-else> small</b>'
    content = f'<ul><li data-each="Quote.lines">{{{{Line.name}}}}{sizes}</li></ul>'
    assert text_of(filled(content)) == "Seat <b> smallSetup big"


ORDERED = ("=", "!=", "<", "<=", ">", ">=")
NUMBERS = st.decimals("-9999", "9999", places=2)
TERMS = st.one_of(
    st.sampled_from(["Quote.total", "Deal.title", "Quote.date", "Deal.platforms"]),
    st.builds("Quote.total {} {}".format, st.sampled_from(ORDERED), NUMBERS),
    st.builds("Quote.date {} {}".format, st.sampled_from(ORDERED), st.dates()),
    st.builds("Deal.title {} {}".format, st.sampled_from(["=", "!="]), st.sampled_from(["Planner", "and", "not-x"])),
    st.builds("Deal.platforms has {}".format, st.sampled_from(["linux", "has", "or"])),
)
CONDITIONS = st.recursive(
    TERMS,
    lambda inner: (
        st.builds("not {}".format, inner)
        | st.builds("( {} )".format, inner)
        | st.builds("{} {} {}".format, inner, st.sampled_from(["and", "OR"]), inner)
    ),
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
SIGNS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge, "has": contains}
# {tag: (form of a value, its reader, its signs)}.
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
        tag, sign, literal = found.groups()
        value = values[tag]
        if sign is None:
            return str(bool(value))
        form, read, signs = FITS[tag]
        if sign not in signs or not form.fullmatch(literal):
            return "?"
        return str(sign == "!=" if value is None else SIGNS[sign](value, read(literal)))

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
    """A condition, often with a word less, more or another one."""
    words = draw(CONDITIONS).split()
    place = draw(st.integers(0, len(words)))
    words[place : place + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(WORDS), max_size=1))
    return " ".join(words)


@settings(MANY, max_examples=250)
@given(CONDITIONS | damaged() | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), VALUES)
def test_whatever_is_written_is_refused_or_means_what_the_table_says(text, values):
    assume(len(text) <= 500 and text.lower().count("not") <= 20 and text.count("(") <= 20)
    assert answer(text, values) == oracle(text, values)


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=40))
def test_a_condition_is_refused_or_kept_word_for_word(text):
    source = f'<p data-if="{escape(text)}">yes</p>'
    content = merge.sanitize(source)
    if codes(content) == []:
        assert merge.check(content, {}, source) == []
        assert merge.sanitize(content) == content
