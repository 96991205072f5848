"""Generates pipeline/api/records.json, the columns of each record of the API, and pipeline/changes/types.json, the
types of recorded changes; a test compares them.

    python -m development.record_schemas

It reads the catalog of a temporary database. The columns of each statement `…_get` are one record: {record: {column:
its JSON Schema}}. The service reads the file, so its logins need no access to the catalog.
"""

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from development.postgres import EmbeddedPostgres
from pipeline.database import Queries, migrations, renewal
from pipeline.database.statements import StatementError

PACKAGES = Path(__file__).resolve().parents[1] / "pipeline"
FILE, CHANGES = PACKAGES / "api" / "records.json", PACKAGES / "changes" / "types.json"
ENDING = "_get"
# Each type of a column needs a line. The service describes JSON columns itself.
TYPES = {
    "bigint": {"type": "integer", "format": "int64"},
    "integer": {"type": "integer", "format": "int32"},
    "smallint": {"type": "integer", "format": "int32"},
    "numeric": {"type": "number"},
    "boolean": {"type": "boolean"},
    "text": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "text[]": {"type": "array", "items": {"type": "string"}},
    "integer[]": {"type": "array", "items": {"type": "integer", "format": "int32"}},
    "json": {},
    "jsonb": {},
}
# The columns of the tables behind a statement, by name: a view shows the columns of its tables.
COLUMNS = """
with recursive behind (id) as (
    select unnest(cast(%(relations)s as oid[]))
    union
    select link.refobjid
    from behind
    join pg_rewrite as rule on rule.ev_class = behind.id
    join pg_depend as link
        on link.classid = 'pg_rewrite'::regclass and link.objid = rule.oid and link.refclassid = 'pg_class'::regclass
)
select column_of.attname, format_type(column_of.atttypid, null), column_of.attnotnull, relation.oid, column_of.attnum,
    col_description(relation.oid, column_of.attnum), relation.relkind = 'v',
    (
        select string_agg(pg_get_constraintdef(checked.oid), ' ') from pg_constraint as checked
        where checked.conrelid = relation.oid and checked.contype = 'c' and checked.conkey = array[column_of.attnum]
    )
from behind
join pg_class as relation on relation.oid = behind.id
join pg_attribute as column_of on column_of.attrelid = relation.oid and column_of.attnum > 0
where not column_of.attisdropped
order by array_position(cast(%(relations)s as oid[]), relation.oid) nulls last, relation.oid"""
RECORDED = """
select distinct split_part(encode(tgargs, 'escape'), '\\000', 1) as type from pg_trigger
where tgname = 'record_inserted' and tgnargs > 1 order by type"""
ENUM = re.compile(r"ANY \(ARRAY\[(.*?)\]\)")


def records(connection):
    """The content of the file, from the catalog of a superuser's psycopg connection.

    Raises StatementError if a statement does not suit the database.
    """
    connection.execute("set search_path to app, extensions, pg_catalog, pg_temp")
    renewal.signatures(connection.pgconn, [query.statement for query in Queries()])
    found = {
        query.name.removesuffix(ENDING): _record(connection, query)
        for query in sorted(Queries(), key=lambda query: query.name)
        if query.name.endswith(ENDING) and query.kind == "row"
    }
    found = {name: columns for name, columns in found.items() if columns}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def types(connection):
    """The content of the file of types, from the triggers of app.record_changes."""
    found = [row[0] for row in connection.execute(RECORDED)]
    return json.dumps(found, indent=1) + "\n"


def _record(connection, query):
    """{column: schema} of a statement's result, which PostgreSQL describes without executing it.

    None if a column has a type that the API does not return.
    """
    connection.pgconn.prepare(b"", query.statement.variant(dict.fromkeys(query.parameters)).text.encode())
    result = connection.pgconn.describe_prepared(b"")
    places = range(result.nfields)
    kinds = [
        connection.execute("select format_type(%s, null)", [result.ftype(place)]).fetchone()[0] for place in places
    ]
    if not TYPES.keys() >= set(kinds):
        return None
    relations = list(dict.fromkeys(result.ftable(place) for place in places if result.ftable(place)))
    behind = connection.execute(COLUMNS, {"relations": relations}).fetchall()
    return {result.fname(place).decode(): _column(result, place, kinds[place], behind) for place in places}


def _column(result, place, kind, behind):
    name = result.fname(place).decode()
    same = [column for column in behind if column[0] == name]
    origins = [column for column in same if not column[6]]
    schema = dict(TYPES[kind])
    if kind == "text" and (name.endswith("_at") or any("time zone" in column[1] for column in origins)):
        schema["format"] = "date-time"
    words = [set(re.findall(r"'([^']*)'", found[1])) for column in origins if (found := ENUM.search(column[7] or ""))]
    if words and kind == "text":
        schema["enum"] = sorted(set.union(*words))
    # A column of no table is an expression, which can be null unless it is a count.
    if not (name.endswith("_count") or (origins and all(column[2] for column in origins))):
        schema["nullable"] = True
    comments = [column[5] for column in same if column[5]]
    own = [column[5] for column in behind if (column[3], column[4]) == (result.ftable(place), result.ftablecol(place))]
    return {**schema, **({"description": (own + comments)[0]} if own + comments else {})}


def write(connection):
    """Write the files; exits if a statement does not suit the database, which the revisions made."""
    try:
        FILE.write_text(records(connection))
        CHANGES.write_text(types(connection))
    except StatementError as error:
        sys.exit(f'{error} If sql/schema has it, write a revision: make revision M="Add products" (docs/migrations.md)')


if __name__ == "__main__":
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres", durable=False) as server:
        migrations.upgrade(server.url())
        with psycopg.connect(server.url()) as database:
            write(database)
