"""pipeline/database/signatures.json: what the release knows of each statement; a test keeps it fresh.

`python -m development.record_schemas` writes it, of the same database.
"""

import json

from pipeline.database import Queries, renewal
from pipeline.database.signatures import FILE as FILE


def signatures(connection):
    """The text of the file, as a superuser's psycopg connection describes the statements; a line for each."""
    connection.execute("set search_path to app, extensions, pg_catalog, pg_temp")
    found = renewal.described(connection.pgconn, [query.statement for query in Queries()])
    lines = sorted(f"{json.dumps(statement.name)}: {json.dumps(signature)}" for statement, signature in found)
    return "{\n" + ",\n".join(lines) + "\n}\n"
