"""Signatures of statements: the types of their parameters and columns, as PostgreSQL describes them."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
from psycopg.pq.abc import PGresult

from pipeline.database.statements import SqlStatement, StatementError

# A newer schema may add columns.
_WHOLE = re.compile(r"\w\.\*")


class StatementSignature(NamedTuple):
    """The kind of a statement's result, {mark: its words}, {parameter: type} and {column: type}."""

    kind: str
    marks: dict[str, tuple[str, ...]]
    parameters: dict[str, str]
    columns: dict[str, str]


def signature(statement: SqlStatement, described: PGresult | None = None) -> StatementSignature:
    """The Signature of a Statement; `described`: PostgreSQL's description, unless it makes a table."""
    parameters, columns = _parameters(statement, described), _columns(statement, described)
    return StatementSignature(statement.kind, statement.words, parameters, columns)


def check_signature(statement: SqlStatement, ours: StatementSignature, found: StatementSignature) -> None:
    """Raise StatementError if the process, which has loaded a statement with `ours`, cannot use `found`."""
    different = [
        *_different("kind", {"of result": ours.kind}, {"of result": found.kind}),
        *_different("mark", ours.marks, found.marks),
        *_different("parameter", ours.parameters, found.parameters),
        *_different("column", ours.columns, found.columns, more=bool(_WHOLE.search(statement.all_lines))),
    ]
    if different:
        raise StatementError(
            f"{statement.file}:{statement.number}, {statement.name}: {'; '.join(different)}, which the running release "
            "cannot use."
        )


def _parameters(statement: SqlStatement, described: PGresult | None) -> dict[str, str]:
    if described is None:
        return {}
    return {name: _type(described.param_type(place)) for place, name in enumerate(statement.complete.parameters)}


def _columns(statement: SqlStatement, described: PGresult | None) -> dict[str, str]:
    """{name: type}; a scalar's column is "1"."""
    if described is None or statement.kind == "rowcount":
        return {}
    if statement.kind == "scalar":
        return {"1": _type(described.ftype(0))}
    names = [(described.fname(place) or b"").decode() for place in range(described.nfields)]
    return {name: _type(described.ftype(place)) for place, name in enumerate(names)}


def _type(number: int) -> str:
    info = psycopg.adapters.types.get(number)
    if info is None:
        return str(number)
    return f"{info.regtype}[]" if number == info.array_oid else info.regtype


def _different(what: str, ours: dict[str, Any], found: dict[str, Any], more: bool = False) -> Iterator[str]:
    """Yield the differences; `more` allows new names."""
    for name, kind in ours.items():
        if name not in found:
            yield f"the {what} {name} is gone"
        elif isinstance(kind, tuple):
            yield from (f"the {what} {name} no longer knows {word}" for word in kind if word not in found[name])
        elif found[name] != kind:
            yield f"the {what} {name} is {found[name]} instead of {kind}"
    if not more:
        yield from (f"the {what} {name} is new" for name in found if name not in ours)
        # An export has its columns by position.
        if what == "column" and found.keys() == ours.keys() and list(found) != list(ours):
            yield "the columns have another order"
