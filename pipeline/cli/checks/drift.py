"""The doctor's comparison of the schema with sql/schema/."""

import psycopg
from psycopg.conninfo import make_conninfo

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.cli.new_database import new_database
from pipeline.database import revisions
from pipeline.database.schema_record import Parts, differences, parts

MOST = 40
_made: dict[str, Parts] = {}


def check_drift(access: Access) -> str:
    """The doctor's line about the schema; raises Failure."""
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
    server = make_conninfo(access.owner_url, dbname="")
    if server not in _made:
        with new_database(access, "schema") as reference:
            with reference.connect() as connection:
                connection.execute("set client_min_messages = error")
                # The first file creates roles, which exist on the server.
                for file in revisions.schema()[1:]:
                    connection.execute(file)
            _made[server] = _parts(reference)
    return _made[server]


def _parts(access: Access) -> Parts:
    with access.connect() as connection:
        return parts(connection)
