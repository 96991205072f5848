"""`pipeline migrate --repair`: undoes changes by hand that cost no rows."""

import re
from collections.abc import Callable, Iterator

import psycopg
from psycopg import sql

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access, OwnerConnection
from pipeline.cli.plan import made_by_revisions
from pipeline.database import revisions
from pipeline.database.migrations import LIMITS
from pipeline.database.parts import Parts, compared, differences, parts, record_parts

PASSES = 3
COLUMN = re.compile(r"(?P<type>.*?)(?P<full> not null)?( default (?P<value>.*))?", re.DOTALL)
Definition = str | None


def repair_schema(access: Access, tell: Callable[[str], None]) -> None:
    """Restore the revision's schema; all or nothing. Raises Failure."""
    with access.connect() as connection:
        revision = revisions.current(connection)
        if revision is None or revision > revisions.head():
            raise Failure(f"This release cannot repair the schema at {revision or 'no revision'}.")
        wanted = made_by_revisions(access, revision)
        connection.execute(LIMITS)
        _check_left(*_only_by_hand(*compared(wanted, parts(connection))))
        for _again in range(PASSES):
            for statement in statements(*compared(wanted, parts(connection))):
                _run(connection, statement)
                tell(statement)
        _check_left(*compared(wanted, parts(connection)))
        record_parts(connection)


def _check_left(wanted: Parts, found: Parts) -> None:
    if left := differences(wanted, found):
        raise Failure("\n  ".join(["Nothing was changed. Undo these changes by hand first:", *left]))


def _only_by_hand(wanted: Parts, found: Parts) -> tuple[Parts, Parts]:
    """The parts that no statement can mend."""
    left = {
        part
        for part in wanted.keys() | found.keys()
        if wanted.get(part) != found.get(part)
        # A view brings its columns.
        and not (part[0] == "column" and ("view", part[1].partition(".")[0]) in wanted.keys() | found.keys())
        and not (part[0] in MENDED and any(MENDED[part[0]](part[1], wanted.get(part), found.get(part))))
    }
    first, second = ({part: one[part] for part in left if part in one} for one in (wanted, found))
    return first, second


def _run(connection: OwnerConnection, statement: str) -> None:
    try:
        connection.execute(statement.encode())
    except psycopg.Error as error:
        raise Failure(f"Nothing was changed, because this failed: {statement}\n  {error}") from None


def statements(wanted: Parts, found: Parts) -> Iterator[str]:
    """SQL that mends the different parts."""
    for kind in reversed(MENDED):
        for part in sorted(found.keys() - wanted.keys()):
            if part[0] == kind:
                yield from MENDED[kind](part[1], None, found[part])
    for kind in MENDED:
        for part, definition in wanted.items():
            if part[0] == kind and found.get(part) != definition:
                yield from MENDED[kind](part[1], definition, found.get(part))


def _named(*names: str) -> str:
    return sql.Identifier(*names).as_string()


def _placed(name: str) -> tuple[str, str]:
    """The name of a part of a table, and its table, for SQL."""
    table, _, own = name.partition(".")
    return _named(own), _named("app", table)


def _table(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    if wanted is None or found is None:
        return
    words, alter = wanted.split(", "), f"alter table {_named('app', name)}"
    yield f"{alter} owner to {words[0].removeprefix('of ')}"
    yield f"{alter} {'enable' if 'row-level security enabled' in words else 'disable'} row level security"
    yield f"{alter} {'' if 'forced' in words else 'no '}force row level security"


def _column(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    if wanted is None or found is None:
        return
    one, other = COLUMN.fullmatch(wanted), COLUMN.fullmatch(found)
    own, table = _placed(name)
    if one is None or other is None or one["type"] != other["type"] or " as identity" in wanted + found:
        return
    yield f"alter table {table} alter {own} {'set' if one['full'] else 'drop'} not null"
    default = f"set default {one['value']}" if one["value"] else "drop default"
    yield f"alter table {table} alter {own} {default}"


def _function(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    if wanted is None:
        yield f"drop {'aggregate' if found and found.endswith('aggregate') else 'routine'} {name}"
    else:
        owner, _, text = wanted.partition("\n")
        yield text
        yield f"alter routine {name} owner to {owner.removeprefix('of ')}"


def _view(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    if wanted is None:
        yield f"drop view {_named('app', name)}"
    else:
        head, _, text = wanted.partition("\n")
        owner, *options = (word for word in head.split(", ") if word)
        given = f" with ({', '.join(options)})" if options else ""
        yield f"create or replace view {_named('app', name)}{given} as {text}"
        yield f"alter view {_named('app', name)} owner to {owner.removeprefix('of ')}"


def _constraint(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    own, table = _placed(name)
    if wanted and found == f"{wanted} (triggers not enabled)":
        yield f"alter table {table} enable trigger all"
        return
    if found is not None:
        yield f"alter table {table} drop constraint {own}"
    if wanted is not None:
        yield f"alter table {table} add constraint {own} {wanted}"


def _index(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    if found is not None:
        yield f"drop index {_named('app', name)}"
    if wanted is not None:
        yield wanted


def _rule(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    own, table = _placed(name)
    if found is not None:
        yield f"drop rule {own} on {table}"


def _trigger(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    own, table = _placed(name)
    if found is not None:
        yield f"drop trigger {own} on {table}"
    if wanted is not None:
        yield wanted


def _policy(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    own, table = _placed(name)
    if found is not None:
        yield f"drop policy {own} on {table}"
    if wanted is not None:
        yield f"create policy {own} on {table} {wanted}"


def _grant(name: str, wanted: Definition, found: Definition) -> Iterator[str]:
    right, _, rest = name.partition(" on ")
    place, _, role = rest.rpartition(" to ")
    table, _, column = place.partition(".")
    if place.startswith("the "):
        place = place.removeprefix("the ")
    elif place.endswith(")"):
        place = f"routine {place}"
    elif column:
        right, place = f"{right} ({_named(column)})", _named("app", table)
    else:
        place = f"{'sequence ' if right == 'usage' else ''}{_named('app', place)}"
    who = role if role == "public" else _named(role)
    if found is not None:
        yield f"revoke {right} on {place} from {who}"
    if wanted is not None:
        yield f"grant {right} on {place} to {who}{' with grant option' if wanted else ''}"


# In the order of creation; removals use the reverse.
MENDED: dict[str, Callable[[str, Definition, Definition], Iterator[str]]] = {
    "table": _table,
    "column": _column,
    "function": _function,
    "view": _view,
    "constraint": _constraint,
    "index": _index,
    "rule": _rule,
    "trigger": _trigger,
    "policy": _policy,
    "grant": _grant,
}
