"""Template conditions: `data-if="Quote.total > 100000 and not Deal.platforms has linux"`.

A comparison with a missing value is false; `!=` negates `=`.
"""

import datetime
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken

# Spaces of no width, and the marks of direction that keyboards write.
INVISIBLE = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
GRAMMAR = (
    r"""
    ?condition: all (_OR all)*            -> any_of
    all: negation (_AND negation)*        -> all_of
    ?negation: _NOT negation              -> opposite
        | "(" condition ")"
        | TAG                             -> present
        | TAG OPERATOR _value             -> compared
    _value: NUMBER | DATE | TEXT | WORD
    _OR.3: /or\b/i
    _AND.3: /and\b/i
    _NOT.3: /not\b/i
    OPERATOR.3: /has\b/i | "<=" | ">=" | "!=" | "=" | "<" | ">"
    TAG.2: /[^\W\d]\w*(\.[^\W\d]\w*){1,2}/
    DATE.2: /\d{4}-\d\d-\d\d\b/
    NUMBER.1: /-?(?![1-9]\d{0,2}\.\d{3}(?!\d))\d+(\.\d+)?(?![\w.,-])/
    TEXT: /["“”„«»][^"“”„«»]*["“”„«»]|['‘’‚‹›][^'‘’‚‹›]*['‘’‚‹›]/
    WORD: /[^\W\d][\w-]*(?![\w.-])/
"""
    rf"    %ignore /[\s{INVISIBLE}]+/"
)
# The dot may part thousands or decimals.
AMBIGUOUS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}(?!\d)")
# Far below Python's recursion limit.
MAX_DEPTH = 20
EXCERPT = 30
ORDERED = ("=", "!=", "<", "<=", ">", ">=")
# {kind: (operators, literals)}.
OPERATORS = {
    "money": (ORDERED, ("NUMBER",)),
    "number": (ORDERED, ("NUMBER",)),
    "date": (ORDERED, ("DATE",)),
    "text": (("=", "!="), ("TEXT", "WORD", "NUMBER", "DATE")),
    "list": (("has",), ("TEXT", "WORD", "NUMBER", "DATE")),
}
LITERALS = {"NUMBER": "a number", "DATE": "a date such as 2026-01-31", "TEXT": "a text", "WORD": "a text"}

# A tag's typed value, or None.
ValueOf = Callable[[str], Any]


class Labelled(str):
    """A label that compares by its `key`."""

    key: str

    def __new__(cls, label: str, key: str) -> "Labelled":
        made = super().__new__(cls, label)
        made.key = key
        return made


class Term(NamedTuple):
    """A tag, compared if `operator` and `literal` are set."""

    tag: str
    operator: str | None = None
    literal: Token | None = None

    def holds(self, value_of: ValueOf) -> bool:
        """Whether the comparison is true, or the tag is neither missing nor zero."""
        value = value_of(self.tag)
        if self.operator is None:
            return bool(value)
        if self.operator == "!=":
            return not self._replace(operator="=").holds(value_of)
        return value is not None and self._compares(value)

    def _compares(self, value: Any) -> bool:
        kind, wanted = _value_kind(value), str(self.literal)
        # An own field can be deleted and made again with another type.
        if self.literal is None or _unfit(self.operator or "", self.literal, kind):
            return False
        if kind == "list":
            return wanted in (_key(item) for item in value)
        if kind == "text":
            return _key(value) == wanted
        other = datetime.date.fromisoformat(wanted) if kind == "date" else Decimal(wanted)
        signs = {"=": value == other, "<": value < other, ">": value > other}
        return any(signs[sign] for sign in self.operator or "")


class Condition(NamedTuple):
    """A conjunction, disjunction or negation."""

    joined: str
    parts: tuple["Condition | Term", ...]

    def holds(self, value_of: ValueOf) -> bool:
        each = (part.holds(value_of) for part in self.parts)
        return not next(each) if self.joined == "not" else all(each) if self.joined == "all" else any(each)


class Malformed(Exception):
    """The message gives the place."""


class _Builder(Transformer[Token, Condition | Term]):
    def present(self, parts: list[Any]) -> Term:
        return Term(str(parts[0]))

    def compared(self, parts: list[Any]) -> Term:
        tag, operator, literal = parts
        if literal.type == "TEXT":
            literal = Token("TEXT", literal[1:-1])
        return Term(str(tag), operator.lower(), literal)

    def opposite(self, parts: list[Any]) -> Condition:
        return Condition("not", tuple(parts))

    def all_of(self, parts: list[Any]) -> Condition | Term:
        return _joined("all", parts)

    def any_of(self, parts: list[Any]) -> Condition | Term:
        return _joined("any", parts)


def _joined(word: str, parts: list[Any]) -> Any:
    return Condition(word, tuple(parts)) if len(parts) > 1 else parts[0]


@cache
def _parser() -> Lark:
    """Built at the first condition: many processes read none."""
    return Lark(GRAMMAR, start="condition", parser="lalr", transformer=_Builder())


@lru_cache(maxsize=1024)
def read(text: str) -> Condition | Term:
    """Parses a data-if; raises Malformed."""
    if text.count("(") > MAX_DEPTH or text.lower().count("not") > MAX_DEPTH:
        raise Malformed(f"has more than {MAX_DEPTH} parentheses or negations")
    try:
        made: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise Malformed(_where(text, error)) from None
    return made


def _where(text: str, error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "ends too early"
    rest = text[error.pos_in_stream or 0 :]
    if number := AMBIGUOUS.match(rest):
        return f'has "{number[0]}", which can be thousands or decimals: write 1000, or 1.0000'
    return f'cannot be read from "{rest[:EXCERPT]}" on'


def terms(condition: Condition | Term) -> Iterator[Term]:
    if isinstance(condition, Term):
        yield condition
        return
    for part in condition.parts:
        yield from terms(part)


def misfit(term: Term, kind: str) -> str | None:
    """The reason why a comparison does not fit its tag of this kind, or None."""
    if term.operator is None or term.literal is None:
        return None
    if kind not in OPERATORS:
        return f'"{term.tag}" can only stand alone in a condition.'
    operators, literals = OPERATORS[kind]
    if term.operator not in operators:
        return f'"{term.operator}" does not fit "{term.tag}", which is of type {kind}: use {", ".join(operators)}.'
    if _unfit(term.operator, term.literal, kind):
        return f'"{term.tag}" is of type {kind}: compare it with {LITERALS[literals[0]]}.'
    return None


def _unfit(operator: str, literal: Token, kind: str) -> bool:
    operators, literals = OPERATORS[kind]
    return operator not in operators or literal.type not in literals or (kind == "date" and not _is_date(literal))


def _value_kind(value: Any) -> str:
    kinds = {list: "list", datetime.date: "date", Decimal: "number"}
    return next((kind for of, kind in kinds.items() if isinstance(value, of)), "text")


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _key(value: Any) -> str:
    return value.key if isinstance(value, Labelled) else str(value)
