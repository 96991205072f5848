"""Signatures of statements: types of parameters, marks and columns.

`signatures.json` checks changed files.
"""

import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
from psycopg.pq.abc import PGresult

from pipeline.database.statements import Statement, StatementError

Signature = dict[str, Any]

FILE = Path(__file__).with_name("signatures.json")
# A newer schema may add columns.
_WHOLE = re.compile(r"\w\.\*")


@functools.cache
def known() -> dict[str, Signature]:
    """{name: signature} of this release's statements."""
    found: dict[str, Signature] = json.loads(FILE.read_text())
    return found


def signature(statement: Statement, described: PGresult | None = None) -> Signature:
    """The signature of a Statement, from PostgreSQL's description."""
    return {
        "file": "/".join(statement.file.parts[-2:]),
        "result": statement.kind,
        "marks": {name: list(words) for name, words in statement.words.items()},
        "parameters": _parameters(statement, described),
        "columns": _columns(statement, described),
    }


def check(statement: Statement, found: Signature) -> None:
    """Raise StatementError if the release cannot use it."""
    ours = known().get(statement.name)
    if ours is None:
        return
    different = [
        *_different("kind", {"of result": ours["result"]}, {"of result": found["result"]}),
        *_different("mark", ours["marks"], found["marks"]),
        *_different("parameter", ours["parameters"], found["parameters"]),
        *_different("column", ours["columns"], found["columns"], more=bool(_WHOLE.search(statement.all_lines))),
    ]
    if different:
        raise StatementError(
            f"{statement.file}:{statement.number}, {statement.name}: {'; '.join(different)}, which the running release "
            "cannot use."
        )


def check_all_there(loaded: Mapping[str, Statement]) -> None:
    """Raise StatementError if a statement is missing."""
    for name, ours in known().items():
        if name not in loaded:
            raise StatementError(f"sql/{ours['file']}: {name}: is gone, and the running release needs it.")


def _parameters(statement: Statement, described: PGresult | None) -> dict[str, str]:
    if described is None:
        return {}
    return {name: _type(described.param_type(place)) for place, name in enumerate(statement.complete.parameters)}


def _columns(statement: Statement, described: PGresult | None) -> dict[str, str]:
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
        elif isinstance(kind, list):
            yield from (f"the {what} {name} no longer knows {word}" for word in kind if word not in found[name])
        elif found[name] != kind:
            yield f"the {what} {name} is {found[name]} instead of {kind}"
    if not more:
        yield from (f"the {what} {name} is new" for name in found if name not in ours)
        # An export has its columns by position.
        if what == "column" and found.keys() == ours.keys() and list(found) != list(ours):
            yield "the columns have another order"
