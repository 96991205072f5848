"""What of the schema is not as the files of sql/schema/ make it: `pipeline doctor` lists it."""

import psycopg

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.cli.new_database import new_database
from pipeline.database import queries, revisions
from pipeline.settings.database_url import with_database

# So many differences are told, each in a line of so many letters.
MOST, LONGEST = 40, 200
# The definition of each part, by its kind and name.
Parts = dict[tuple[str, str], str]
_made: dict[str, Parts] = {}


def check_drift(access: Access) -> str:
    """What the doctor says of the schema of an Access; raises Failure."""
    with access.connect() as connection:
        revision = revisions.current(connection)
    if revision != revisions.head():
        return f"not compared: the schema is that of a newer release ({revision})"
    try:
        wanted = _wanted(access)
    except psycopg.errors.InsufficientPrivilege:
        return "not compared: the login of DATABASE_OWNER_URL may not create a database for it"
    if found := differences(wanted, _parts(access)):
        more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
        raise Failure("\n       ".join(["this differs from sql/schema/:", *found[:MOST], *more]))
    return f"all {len(wanted)} parts are as in sql/schema/"


def _wanted(access: Access) -> Parts:
    """What the files make on the server of an Access; a process that looks at several databases of it makes it once."""
    server = with_database(access.owner_url, "")
    if server not in _made:
        with new_database(access, "schema") as reference:
            with reference.connect() as connection:
                connection.execute("set client_min_messages = error")
                # Not the first: the roles belong to the server, which has them.
                for file in revisions.schema()[1:]:
                    connection.execute(file)
            _made[server] = _parts(reference)
    return _made[server]


def differences(wanted: Parts, found: Parts) -> list[str]:
    """The lines about what differs."""
    lines = []
    for part in sorted(wanted.keys() | found.keys()):
        name = " ".join(part)
        if part not in found:
            lines.append(_line("missing", name, wanted[part]))
        elif part not in wanted:
            lines.append(_line("added", name, found[part]))
        elif wanted[part] != found[part]:
            lines.append(_line("changed", name, _change(wanted[part], found[part])))
    return lines


def _change(wanted: str, found: str) -> str:
    """What a definition has become; of a long one, the first line that differs."""
    pairs = zip(f"{wanted}\n".split("\n"), f"{found}\n".split("\n"), strict=False)
    one, other = next((pair for pair in pairs if pair[0] != pair[1]), (wanted, found))
    return f"{_short(one)} has become {_short(other)}"


def _line(what: str, name: str, told: str) -> str:
    text = _short(told)
    return f"{what:<7} {name}{f': {text}' if text else ''}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} …"


def _parts(access: Access) -> Parts:
    with access.connect() as connection, queries.on(connection):
        queries.search_only(schema="pg_catalog")
        return {(part["kind"], part["name"]): part["definition"] for part in queries.schema_parts()}
