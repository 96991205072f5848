"""Distribute the schema by organization_id over a cluster, with all that Citus asks for (docs/citus.md).

In two parts: while the tables are still local, everything that Citus refuses, or loses on its way to the shards, is
written in another way; then the tables are distributed, and functions and views are copied to the workers, because each
request of an organization runs wholly on the worker that has its shards.
"""

from pathlib import Path

from psycopg.sql import SQL, Identifier

from pipeline.database import migrations
from tests.citus import catalog
from tests.citus.rewriting import in_plpgsql, row_by_row

BEFORE = Path(__file__).with_name("before.sql")
# What is asked before an organization is known, or beyond it; all else is distributed.
GLOBAL = ("users", "sessions", "refresh_tokens")
LOGINS = ("pipeline_app", "pipeline_forms", "pipeline_jobs")
# No plan may outlive its transaction (before.sql); a function that a statement calls reads distributed tables, too.
LOGIN_SETTINGS = {"plan_cache_mode": "force_custom_plan", "citus.allow_nested_distributed_execution": "on"}
SHARDS = 8
LOCAL = "set citus.enable_ddl_propagation = off; set check_function_bodies = off"
NO_SHARDS = "?options=-ccitus.enable_ddl_propagation%3Doff"


def distribute(cluster):
    """Make the schema on a started Cluster and distribute its tables."""
    migrations.upgrade(cluster.coordinator.url() + NO_SHARDS)
    for worker in cluster.workers:
        with worker.connect() as connection, connection.transaction():
            connection.execute(LOCAL)
            for text in migrations.schema()[:3]:  # roles, extensions, what everybody loses
                connection.execute(text)
    with cluster.coordinator.connect() as connection:
        connection.execute(LOCAL)
        with connection.transaction():
            connection.execute(BEFORE.read_text())
            foreign_keys = rewrite(connection)
        connection.execute("set citus.enable_ddl_propagation = on; set citus.enable_unsafe_triggers = on")
        _distribute_tables(connection, foreign_keys)
        objects = connection.execute(catalog.OBJECTS).fetchall()
        grants = [grant for (grant,) in connection.execute(catalog.GRANTS)]
    for node in cluster.nodes:
        with node.connect() as connection:
            connection.execute(LOCAL)
            if node is not cluster.coordinator:
                _copy(connection, objects, grants)
            _set_roles(connection)


def rewrite(connection):
    """Write in another way what Citus refuses or loses; the foreign keys that come back: (table, name, definition)."""
    kept = []
    for table, name, definition, sets_a_column in connection.execute(catalog.FOREIGN_KEYS).fetchall():
        connection.execute(f"alter table {table} drop constraint {name}")
        leaves_its_shard = table.removeprefix("app.") in GLOBAL and "REFERENCES app.organizations" in definition
        if not sets_a_column and not leaves_its_shard:
            kept.append((table, name, definition))
    for table, index, constraint in connection.execute(catalog.UNIQUE_ALONE, [list(GLOBAL)]).fetchall():
        constrained = f"alter table {table} drop constraint {constraint}"
        connection.execute(constrained if constraint else f"drop index {index}")
    _bound_policies(connection)
    for returned, is_set, source, definition in connection.execute(catalog.IN_SQL).fetchall():
        connection.execute(in_plpgsql(definition, source, returned, is_set))
    for (definition,) in connection.execute(catalog.ON_TRANSITION_TABLES).fetchall():
        connection.execute(row_by_row(definition))
    for (name,) in connection.execute(catalog.WITH_A_PLAN_OF_THEIR_OWN).fetchall():
        connection.execute(f"alter function {name} set plan_cache_mode = force_custom_plan")
    # What a shard is sent names every column that has a default, and the sequences are asked as the role.
    for table, role, columns in connection.execute(catalog.DEFAULTS).fetchall():
        connection.execute(f"grant insert ({columns}) on {table} to {role}")
    connection.execute("grant usage on all sequences in schema app to pipeline_member, pipeline_public, pipeline_jobs")
    return kept


def _bound_policies(connection):
    """Write the organization into every permissive policy: on its way to a shard each policy becomes permissive."""
    bounds = {table: using for table, _, using, _ in connection.execute(catalog.POLICIES, ["RESTRICTIVE"]).fetchall()}
    for table, name, using, checked in connection.execute(catalog.POLICIES, ["PERMISSIVE"]).fetchall():
        key = "id" if table == "organizations" else "organization_id"
        routed = "" if table in GLOBAL else f" and {key} = app.routed_organization()"
        clauses = [
            f"{clause} ({bounds[table]}{routed} and ({condition}))"
            for clause, condition in (("using", using), ("with check", checked))
            if condition is not None
        ]
        connection.execute(f"alter policy {name} on app.{table} {' '.join(clauses)}")
    for table in bounds:
        connection.execute(SQL("drop policy organization on {}").format(Identifier("app", table)))


def _distribute_tables(connection, foreign_keys):
    """Reference tables of what is global, all others by organization beside the first one; then the foreign keys."""
    first = None
    for table, key in connection.execute(catalog.TABLES).fetchall():
        if table in GLOBAL:
            connection.execute("select create_reference_table(%s)", [f"app.{table}"])
        elif first is None:
            first = f"app.{table}"
            connection.execute("select create_distributed_table(%s, %s, shard_count => %s)", [first, key, SHARDS])
        else:
            beside = "select create_distributed_table(%s, %s, colocate_with => %s)"
            connection.execute(beside, [f"app.{table}", key, first])
    for table, name, definition in foreign_keys:
        connection.execute(f"alter table {table} add constraint {name} {definition}")


def _copy(connection, objects, grants):
    """Make functions, views and their rights on a worker as they are on the coordinator."""
    connection.execute("set search_path = app, extensions, pg_catalog")
    for definition, kind, name, owner in objects:
        connection.execute(definition)
        connection.execute(f"alter {kind} {name} owner to {owner}")
        if kind != "view":
            connection.execute(f"revoke all on {kind} {name} from public")
    for grant in grants:
        connection.execute(grant)


def _set_roles(connection):
    """Let a node's logins plan as they must, and the tables' owner in: shards move as the owner, from node to node."""
    connection.execute("alter role pipeline_owner login")
    for login in LOGINS:
        for name, value in LOGIN_SETTINGS.items():
            connection.execute(f"alter role {login} set {name} = '{value}'")
