"""Rewrites the schema's functions for Citus."""

from typing import Any

import psycopg

from pipeline.database.cluster import catalog
from pipeline.database.cluster.rewriting import CONTEXT, in_plpgsql, of_any_row, routed, row_by_row, shard_by_shard

Connection = psycopg.Connection[Any]


def rewrite_functions(connection: Connection) -> None:
    """Rewrite the functions; the order matters."""
    for source, definition, arguments in connection.execute(catalog.BY_SHARD).fetchall():
        connection.execute(shard_by_shard(definition, source, arguments))
    for returned, is_set, source, definition in connection.execute(catalog.IN_SQL).fetchall():
        connection.execute(in_plpgsql(definition, source, returned, is_set))
    for (definition,) in connection.execute(catalog.OF_TRIGGERS).fetchall():
        connection.execute(row_by_row(definition))
    for name, table, definition, roles in connection.execute(catalog.OF_ROWS).fetchall():
        connection.execute(f"drop function {name}")
        connection.execute(of_any_row(definition, table))
        connection.execute(f"grant execute on function {name.partition('(')[0]} to {roles}")
    for (definition,) in connection.execute(catalog.OF_THE_CONTEXT, [CONTEXT]).fetchall():
        connection.execute(routed(definition))
    # So that now() is the schema's.
    for (name,) in connection.execute(catalog.WITH_A_PATH).fetchall():
        connection.execute(f"alter function {name} set search_path = app, extensions, pg_catalog, pg_temp")
    for (name,) in connection.execute(catalog.WITH_A_PLAN_OF_THEIR_OWN).fetchall():
        connection.execute(f"alter function {name} set plan_cache_mode = force_custom_plan")


def give_numbers(connection: Connection, but: tuple[str, ...]) -> None:
    """Replace a node's identities by sequences that continue, except in `but`."""
    found = connection.execute(catalog.IDENTITIES, [list(but)]).fetchall()
    for table, column, sequence, least, most, following, roles in found:
        connection.execute(f"alter table {table} alter column {column} drop identity")
        connection.execute(f"create sequence {sequence} minvalue {least} maxvalue {most} start {following}")
        connection.execute(f"alter sequence {sequence} owner to pipeline_owner")
        if roles:
            connection.execute(f"grant usage on sequence {sequence} to {roles}")
        connection.execute(f"alter table {table} alter column {column} set default app.next_id('{sequence}')")
