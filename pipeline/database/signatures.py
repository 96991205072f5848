"""What the release calls each statement with and reads of it: parameters, marks and columns, with their types.

`signatures.json` holds that of the files which the release was tested with (`make schema` writes it). Files that an
operator has changed since are compared with it before they are used.
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
# A newer schema may give more columns to what a statement takes whole.
_WHOLE = re.compile(r"\w\.\*")


@functools.cache
def known() -> dict[str, Signature]:
    """{name: signature} of the statements of the release that runs."""
    found: dict[str, Signature] = json.loads(FILE.read_text())
    return found


def signature(statement: Statement, described: PGresult | None = None) -> Signature:
    """The signature of a Statement: what JSON can hold, in the words of a message to the operator.

    described: the PGresult by which PostgreSQL has described it; without one it has neither parameters nor columns.
    """
    return {
        "file": "/".join(statement.file.parts[-2:]),
        "result": statement.kind,
        "marks": {name: list(words) for name, words in statement.words.items()},
        "parameters": _parameters(statement, described),
        "columns": _columns(statement, described),
    }


def check(statement: Statement, found: Signature) -> None:
    """Raise StatementError unless the release can call a Statement of this signature, and read what it answers."""
    ours = known().get(statement.name)
    if ours is None:
        return
    different = [
        *_different("kind", {"of result": ours["result"]}, {"of result": found["result"]}),
        *_different("mark", ours["marks"], found["marks"]),
        *_different("parameter", ours["parameters"], found["parameters"]),
        *_different("column", ours["columns"], found["columns"], more=bool(_WHOLE.search(statement.whole))),
    ]
    if different:
        raise StatementError(
            f"{statement.file}:{statement.number}, {statement.name}: {'; '.join(different)}, and the running release "
            "cannot use it so."
        )


def check_all_there(loaded: Mapping[str, Statement]) -> None:
    """Raise StatementError unless {name: Statement} has each statement that the release knows."""
    for name, ours in known().items():
        if name not in loaded:
            raise StatementError(f"sql/{ours['file']}: {name}: is gone, and the running release needs it.")


def _parameters(statement: Statement, described: PGresult | None) -> dict[str, str]:
    """{name: type}, in the order of their numbers."""
    if described is None:
        return {}
    return {name: _type(described.param_type(place)) for place, name in enumerate(statement.complete.parameters)}


def _columns(statement: Statement, described: PGresult | None) -> dict[str, str]:
    """{name: type} of what is read of the result: of a scalar the first column, whatever its name."""
    if described is None or statement.kind == "rowcount":
        return {}
    if statement.kind == "scalar":
        return {"1": _type(described.ftype(0))}
    names = [(described.fname(place) or b"").decode() for place in range(described.nfields)]
    return {name: _type(described.ftype(place)) for place, name in enumerate(names)}


def _type(number: int) -> str:
    """The name of a type of PostgreSQL, of which the driver knows those that every server has."""
    info = psycopg.adapters.types.get(number)
    if info is None:
        return str(number)
    return f"{info.regtype}[]" if number == info.array_oid else info.regtype


def _different(what: str, ours: dict[str, Any], found: dict[str, Any], more: bool = False) -> Iterator[str]:
    """Yield what is told of {name: type, or words} that differs from ours; `more`: further names are no difference."""
    for name, kind in ours.items():
        if name not in found:
            yield f"the {what} {name} is gone"
        elif isinstance(kind, list):
            yield from (f"the {what} {name} no longer knows {word}" for word in kind if word not in found[name])
        elif found[name] != kind:
            yield f"the {what} {name} is {found[name]} instead of {kind}"
    if not more:
        yield from (f"the {what} {name} is new" for name in found if name not in ours)
        # A file of an export has its columns by their places.
        if what == "column" and found.keys() == ours.keys() and list(found) != list(ours):
            yield "the columns have another order"
