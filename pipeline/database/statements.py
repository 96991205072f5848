"""The statements of `sql/` (`sql/README.md`).

A mark is a line's condition. A *variant* has the lines for one set of values.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pugsql.statement
from pugsql.compiler import Module
from pugsql.exceptions import ParserError

# Variants of a statement; a list has hundreds.
KEPT = 512
_MARK = re.compile(r"^(?P<line>.*?)\s*--\?\s*(?P<rule>.*?)\s*$")
_TERM = re.compile(r"(?P<absent>!)?(?P<names>[a-z_]+(?:\|[a-z_]+)*)|(?P<name>[a-z_]+)=(?P<words>\w+(?:\|\w+)*)")
# This mark holds if any filter is given.
FILTERED, _ORDER = "filtered", ("sort_by", "sort_dir")
# A line of an order, for both directions.
_DIRECTED = re.compile(r"(?P<line>.*?)\s*--/\s*(?P<rule>.*?)\s*")
# `:name`, but not `::name` or 10:30.
_PARAMETER = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")


# A word, True (given) or None.
Answer = str | bool | None


class StatementError(Exception):
    """An invalid file of `sql/`; the message begins with file and line."""


class MarkCondition(NamedTuple):
    """A condition: a parameter is given, all are `absent`, or one has one of the words."""

    names: tuple[str, ...]
    absent: bool
    words: tuple[str, ...]

    def holds(self, answers: Mapping[str, Answer]) -> bool:
        if self.words:
            return answers[self.names[0]] in self.words
        return all(answers[name] is None for name in self.names) == self.absent


class MarkedLine(NamedTuple):
    """A line, its conditions and its number."""

    text: str
    terms: tuple[MarkCondition, ...]
    number: int


class Variant(NamedTuple):
    """A statement for one set of values, with its line numbers; parameters in the order of `$n`."""

    name: str
    text: str
    parameters: tuple[str, ...]
    numbers: tuple[int, ...]


class SqlStatement:
    """A statement of `sql/`; `source`: the lines of its file."""

    def __init__(self, loaded: pugsql.statement.Statement, source: Sequence[str]) -> None:
        self.name, self.doc, self.kind = loaded.name, loaded.__doc__, loaded.result.display_type
        self.file, named = Path(loaded.filename), re.compile(rf"--+\s*:name {loaded.name}\b")
        self.number = next(number for number, line in enumerate(source, 1) if named.match(line))
        *lines, last = _read(self, source)
        self.lines = (*lines, last._replace(text=last.text.rstrip(";")))
        self.words = _words(self.lines)
        self.filters = tuple(name for name in self.words if name not in (*_ORDER, FILTERED))
        self.parameters = tuple(dict.fromkeys(_PARAMETER.findall("\n".join(line.text for line in self.lines))))
        self.compiled = functools.lru_cache(KEPT)(self._compile)

    def variant(self, values: Mapping[str, Any]) -> Variant:
        """The Variant for {parameter: value}; raises ValueError."""
        given = {**values, FILTERED: self._is_filtered(values) or None}
        return self.compiled(*[self._answer(name, known, given.get(name)) for name, known in self.words.items()])

    def keeps_plan(self, values: Mapping[str, Any]) -> bool:
        """Whether one plan of a list serves these values: for the first page without filters."""
        return values.get("offset") == 0 and not self._is_filtered(values)

    def _is_filtered(self, values: Mapping[str, Any]) -> bool:
        return any(values.get(name) is not None for name in self.filters)

    def _answer(self, name: str, known: tuple[str, ...], value: Any) -> Answer:
        if value is None or not known:
            return None if value is None else True
        value = str(value).lower() if isinstance(value, bool) else value
        if value not in known:
            raise ValueError(f"{self.name} has no {name} {value!r}; it has {', '.join(known)}.")
        return value

    def _compile(self, *answered: Answer) -> Variant:
        answers = dict(zip(self.words, answered, strict=True))
        kept = [line for line in self.lines if all(term.holds(answers) for term in line.terms)]
        choices = ", ".join(
            name if answer is True else f"{name}={answer}"
            for name, answer in answers.items()
            if answer is not None and name != FILTERED
        )
        return _numbered(f"{self.name}: {choices}" if choices else self.name, kept)

    @property
    def complete(self) -> Variant:
        """All lines, for PostgreSQL to parse."""
        return _numbered(self.name, self.lines)

    @property
    def all_lines(self) -> str:
        return "\n".join(line.text for line in self.lines)


def _numbered(name: str, lines: Sequence[MarkedLine]) -> Variant:
    parameters: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${parameters.setdefault(match[1], len(parameters) + 1)}"

    text = _PARAMETER.sub(number, "\n".join(line.text for line in lines)).replace("\\:", ":")
    return Variant(name=name, text=text, parameters=tuple(parameters), numbers=tuple(line.number for line in lines))


def _read(statement: SqlStatement, source: Sequence[str]) -> Iterator[MarkedLine]:
    """The statement's lines; a lone mark that ends in `{` holds up to `}`."""
    blocks: list[list[MarkCondition]] = []
    for number, text in _written(statement, source):
        marked = _MARK.match(text)
        if marked is None:
            if text.strip() and not text.startswith("--:"):
                yield MarkedLine(text.rstrip(), tuple(chain(*blocks)), number)
            continue
        alone, rule = not marked["line"].strip(), marked["rule"]
        if alone and rule == "}":
            if not blocks:
                raise _broken(statement, number, "a } closes nothing")
            blocks.pop()
        elif alone and rule.endswith("{"):
            blocks.append(_rule(statement, number, rule[:-1]))
        elif alone:
            raise _broken(statement, number, "a mark stands behind a line, or opens a block with {")
        else:
            yield MarkedLine(marked["line"], tuple(chain(*blocks, _rule(statement, number, rule))), number)
    if blocks:
        raise _broken(statement, statement.number, "a block is not closed")


def _written(statement: SqlStatement, source: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(number, text) of the lines, those of an order for each direction."""
    for number, text in enumerate(source[statement.number :], statement.number + 1):
        if re.match(r"--+\s*:name ", text):
            break
        directed = _DIRECTED.fullmatch(text)
        yield from ((number, line) for line in (_directions(directed) if directed else [text]))


def _directions(directed: re.Match[str]) -> list[str]:
    rule = f"{directed['rule']}, sort_dir" if directed["rule"] else "sort_dir"
    descending = re.sub(r"\basc\b", "desc", directed["line"])
    return [f"{directed['line']} --? {rule}=ASC", f"{descending} --? {rule}=DESC"]


def _rule(statement: SqlStatement, number: int, text: str) -> list[MarkCondition]:
    terms = []
    for word in text.split(","):
        term = _TERM.fullmatch(word.strip())
        if term is None:
            raise _broken(statement, number, f"{word.strip()!r} is no condition; see sql/README.md")
        names = (term["name"] or term["names"]).split("|")
        words = tuple(term["words"].split("|")) if term["words"] else ()
        terms.append(MarkCondition(tuple(names), bool(term["absent"]), words))
    return terms


def _words(lines: Sequence[MarkedLine]) -> dict[str, tuple[str, ...]]:
    """{mark's parameter: its words}. The first order's line gives the default order."""
    words: dict[str, dict[str, None]] = {}
    for line in lines:
        for term in line.terms:
            for name in term.names:
                words.setdefault(name, {}).update(dict.fromkeys(term.words))
    if "sort_by" in words:
        orders = (line.terms for line in lines if any(term.names == ("sort_dir",) for term in line.terms))
        first = chain(*(term.words for terms in orders for term in terms if term.names == ("sort_by",)))
        words["sort_by"] = dict.fromkeys(first) | words["sort_by"]
    return {name: tuple(known) for name, known in words.items()}


def _broken(statement: SqlStatement, number: int, what: str) -> StatementError:
    return StatementError(f"{statement.file}:{number}, {statement.name}: {what}.")


def load(folder: Path) -> dict[str, SqlStatement]:
    """{name: Statement} of the folders except `schema`; raises StatementError."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir() and path.name != "schema")
    try:
        module = Module(str(folders[0]))
        module.add_queries(*map(str, folders[1:]))
    except (ParserError, ValueError) as error:
        raise StatementError(str(error)) from error
    sources = {loaded.filename: Path(loaded.filename).read_text().split("\n") for loaded in module}
    return {loaded.name: SqlStatement(loaded, sources[loaded.filename]) for loaded in module}
