"""Distributes a database by organization_id over a Citus cluster (docs/citus.md).

One transaction rewrites the schema and records the steps, which commit alone and can continue.
"""

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from pipeline.database import migrations, revisions
from pipeline.database.cluster import catalog
from pipeline.database.cluster.functions import give_numbers, rewrite_functions
from pipeline.database.cluster.rewriting import without_set_null
from pipeline.database.nodes import STEPS

FOLDER = revisions.SCHEMA / "cluster"
# Reference tables: read without an organization.
GLOBAL = ("users", "sessions", "refresh_tokens", "global_keys")
LOGINS = ("pipeline_app", "pipeline_forms", "pipeline_jobs")
# The owner moves shards; the other reads beyond one organization.
BETWEEN_NODES = ("pipeline_owner", "pipeline_lookup")
# No plan outlives its transaction; an import's view stays in its session.
LOGIN_SETTINGS = {"plan_cache_mode": "force_custom_plan", "citus.enable_ddl_propagation": "off"}
# Also for Citus's sessions with triggers of shards. After a change of a global table, use one connection per server.
DATABASE_SETTINGS = {"citus.allow_nested_distributed_execution": "on", "citus.multi_shard_modify_mode": "sequential"}
VERSIONS = ("13.",)
SHARDS = 32
LOCAL = "set citus.enable_ddl_propagation = off; set check_function_bodies = off; set client_min_messages = warning"
EVERYWHERE = "set citus.enable_ddl_propagation = on; set citus.enable_unsafe_triggers = on"
NO_SHARDS = "-ccitus.enable_ddl_propagation=off"
COPY = "copy"

Progress = Callable[[str], None]
Connection = psycopg.Connection[Any]


class Refused(Exception):
    """The database cannot be distributed; the message has reason and cure."""


def distribute(url: str, progress: Progress = lambda line: None, shards: int = SHARDS) -> None:
    """Distribute the coordinator's database, or continue; raises Refused and psycopg.Error."""
    with psycopg.connect(url, autocommit=True) as coordinator:
        workers = _checked(coordinator, url)
        if not _first_value(coordinator, "select pg_try_advisory_lock(hashtextextended('pipeline distribute', 0))"):
            raise Refused("Another process is distributing this database.")
        coordinator.execute(LOCAL)
        for worker in workers:
            _prepare(worker)
        _begin(coordinator, shards, progress)
        coordinator.execute(EVERYWHERE)
        _run_steps(coordinator, progress)
        coordinator.execute(LOCAL)
        _copy_to(workers, coordinator, progress)
        coordinator.execute(f"update {STEPS} set done_at = now() where statement = %s", [COPY])


def _checked(coordinator: Connection, url: str) -> list[str]:
    """The URLs of the workers; raises Refused."""
    version = _first_value(coordinator, "select extversion from pg_extension where extname = 'citus'")
    if version is None:
        raise Refused("This PostgreSQL has no extension citus: a database stays on one server without it.")
    if not version.startswith(VERSIONS):
        raise Refused(f"The extension citus is {version}; this release supports Citus {VERSIONS[0]}x.")
    if not _first_value(coordinator, "select rolsuper from pg_roles where rolname = current_user"):
        raise Refused("A database is distributed by a superuser: set DATABASE_OWNER_URL to one.")
    if _first_value(coordinator, "select groupid from pg_dist_local_group") != 0:
        raise Refused("This is a worker of the cluster: set DATABASE_OWNER_URL to its coordinator.")
    if not _first_value(coordinator, "select exists (select from pg_dist_node where groupid = 0)"):
        raise Refused("The coordinator is not registered: call citus_set_coordinator_host there.")
    workers = coordinator.execute(catalog.WORKERS).fetchall()
    if not workers:
        raise Refused("The cluster has no worker: call citus_add_node on its coordinator.")
    _check_schema(coordinator, url)
    return [psycopg.conninfo.make_conninfo(url, host=host, port=port) for host, port in workers]


def make_schema(url: str) -> None:
    """Create the schema on a coordinator, not distributed."""
    migrations.upgrade(url + ("&" if "?" in url else "?") + f"options={NO_SHARDS.replace('=', '%3D')}")


def _check_schema(coordinator: Connection, url: str) -> None:
    standing = revisions.schema_state(coordinator)
    if standing.revision is None:
        make_schema(url)
    elif standing.revision != revisions.head():
        raise Refused(f"The schema is at {standing.revision}, not at this release's: run pipeline migrate first.")
    if found := coordinator.execute(catalog.OF_NOBODY, [list(GLOBAL)]).fetchall():
        raise Refused(f"The rows of {', '.join(name for (name,) in found)} belong to no organization.")
    if busy := _first_value(coordinator, catalog.BUSY, [list(LOGINS)]):
        raise Refused(f"The service works on this database ({busy} connections): stop it first.")


def _prepare(worker: str) -> None:
    with psycopg.connect(worker, autocommit=True) as connection:
        if _first_value(connection, "select to_regnamespace('extensions')") is None:
            with connection.transaction():
                connection.execute(LOCAL)
                for text in revisions.schema()[:3]:
                    connection.execute(text)


def _begin(coordinator: Connection, shards: int, progress: Progress) -> None:
    if _first_value(coordinator, "select to_regclass(%s)", [STEPS]) is not None:
        return
    progress("The schema is rewritten.")
    with coordinator.transaction():
        for file in sorted(FOLDER.glob("*.sql")):
            coordinator.execute(file.read_text(encoding="utf-8"))
        foreign_keys = rewrite(coordinator)
        if coordinator.execute(catalog.POLICIES, ["RESTRICTIVE"]).fetchall():
            raise Refused("A policy is restrictive; Citus does not copy that to the shards.")
        coordinator.execute(
            f"create table {STEPS} (number integer generated always as identity primary key, says text not null, "
            "statement text not null, done_at timestamptz)"
        )
        coordinator.execute(f"grant select on {STEPS} to public")
        steps = [*_placing(coordinator, shards), *foreign_keys, ("Functions and views are copied.", COPY)]
        for step in steps:
            coordinator.execute(f"insert into {STEPS} (says, statement) values (%s, %s)", step)


def _placing(coordinator: Connection, shards: int) -> list[tuple[str, str]]:
    tables = coordinator.execute(catalog.TABLES).fetchall()
    steps = [(f"{name} is put on every server.", f"select create_reference_table('app.{name}')") for name in GLOBAL]
    for name, key in sorted(tables, key=lambda table: table[0] != "organizations"):
        how = f"shard_count => {shards}" if name == "organizations" else "colocate_with => 'app.organizations'"
        if name not in GLOBAL:
            steps.append((f"{name} is distributed.", f"select create_distributed_table('app.{name}', '{key}', {how})"))
    return steps


def _run_steps(coordinator: Connection, progress: Progress) -> None:
    left = f"select number, says, statement from {STEPS} where done_at is null and statement <> %s order by number"
    steps = coordinator.execute(left, [COPY]).fetchall()
    for place, (number, says, statement) in enumerate(steps, 1):
        progress(f"{place}/{len(steps)}: {says}")
        with coordinator.transaction():
            # Triggers must not handle copied rows as new ones.
            coordinator.execute("set local citus.propagate_set_commands = 'local'")
            coordinator.execute("set local session_replication_role = replica")
            coordinator.execute(statement)
            coordinator.execute(f"update {STEPS} set done_at = now() where number = %s", [number])


def _copy_to(workers: list[str], coordinator: Connection, progress: Progress) -> None:
    objects = coordinator.execute(catalog.OBJECTS).fetchall()
    grants = [grant for (grant,) in coordinator.execute(catalog.GRANTS)]
    for number, url in enumerate(workers, 1):
        progress(f"Functions and views are copied to worker {number} of {len(workers)}.")
        with psycopg.connect(url, autocommit=True) as worker, worker.transaction():
            worker.execute(LOCAL)
            worker.execute("set local search_path = app, extensions, pg_catalog")
            for definition, kind, name, owner in objects:
                worker.execute(definition)
                worker.execute(f"alter {kind} {name} owner to {owner}")
                if kind != "view":
                    worker.execute(f"revoke all on {kind} {name} from public")
            give_numbers(worker, GLOBAL)
            for grant in grants:
                worker.execute(grant)
            _set_roles(worker)
    with coordinator.transaction():
        give_numbers(coordinator, GLOBAL)
        _set_roles(coordinator)


def _set_roles(connection: Connection) -> None:
    for role in BETWEEN_NODES:
        connection.execute(SQL("alter role {} login").format(Identifier(role)))
    for role in LOGINS:
        for name, value in LOGIN_SETTINGS.items():
            connection.execute(f"alter role {role} set {name} = '{value}'")
    database = Identifier(connection.info.dbname)
    for name, value in DATABASE_SETTINGS.items():
        connection.execute(SQL("alter database {} set {} = {}").format(database, SQL(name), SQL(value)))


def rewrite(connection: Connection) -> list[tuple[str, str]]:
    """Rewrite the schema; returns the steps (words, statement) that restore foreign keys."""
    kept = []
    for table, name, definition in connection.execute(catalog.FOREIGN_KEYS).fetchall():
        connection.execute(f"alter table {table} drop constraint {name}")
        if table.removeprefix("app.") in GLOBAL and "REFERENCES app.organizations" in definition:
            continue
        definition, trigger = without_set_null(table, name, definition)
        if trigger:
            column = definition.partition(", ")[2].partition(")")[0]
            connection.execute(
                f"grant select (organization_id, {column}), update ({column}) on {table} to pipeline_lookup"
            )
            connection.execute(trigger)
        kept.append((f"{name} is checked.", f"alter table {table} add constraint {name} {definition}"))
    for table, index, constraint in connection.execute(catalog.UNIQUE_ALONE, [list(GLOBAL)]).fetchall():
        constrained = f"alter table {table} drop constraint {constraint}"
        connection.execute(constrained if constraint else f"drop index {index}")
    _bound_policies(connection)
    rewrite_functions(connection)
    # A statement for a shard names all columns with a default.
    for table, role, columns in connection.execute(catalog.DEFAULTS).fetchall():
        connection.execute(f"grant insert ({columns}) on {table} to {role}")
    connection.execute("grant usage on all sequences in schema app to pipeline_member, pipeline_public, pipeline_jobs")
    return kept


def _bound_policies(connection: Connection) -> None:
    """Add the organization to each policy: on shards, all become permissive."""
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


def _first_value(connection: Connection, statement: str, values: list[Any] | None = None) -> Any:
    row = connection.execute(statement, values).fetchone()
    return row[0] if row else None
