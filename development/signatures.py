"""Generates pipeline/database/signatures.json, the parameters and columns of each statement; a test compares it.

`python -m development.record_schemas` writes it, from the same database.
"""

import json

from pipeline.database import Queries, renewal
from pipeline.database.signatures import FILE as FILE


def signatures(connection):
    """The content of the file, a line for each statement, described by a superuser's psycopg connection."""
    connection.execute("set search_path to app, extensions, pg_catalog, pg_temp")
    found = renewal.described(connection.pgconn, [query.statement for query in Queries()])
    lines = sorted(f"{json.dumps(statement.name)}: {json.dumps(signature)}" for statement, signature in found)
    return "{\n" + ",\n".join(lines) + "\n}\n"
