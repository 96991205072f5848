"""`pipeline queries`."""

import re
from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

import click
import orjson

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access, Installation
from pipeline.cli.servers import address_of, connected, servers_of
from pipeline.database import Row, queries
from pipeline.database.statements import Statement
from pipeline.process.settings.shipped import shipped

# A statement's last line; see database/queries.py.
SAID = re.compile(r"\n-- (?P<name>\w+)(?:: (?P<variant>.+?))?(?:, (?P<role>pipeline_\w+))?(?:, organization \d+)?$")
OTHER = "not of sql/"
LOGIN = {"pipeline_member": "pipeline_app", "pipeline_admin": "pipeline_app", "pipeline_public": "pipeline_forms"}
# Options of `pipeline explain` by role.
AS = {
    "pipeline_app": ("--role", "none"),
    "pipeline_admin": ("--role", "admin"),
    "pipeline_forms": ("--login", "forms", "--role", "none"),
    "pipeline_public": ("--login", "forms"),
    "pipeline_jobs": ("--login", "jobs"),
}
NOT_THERE = (
    "The extension pg_stat_statements is not in this database: set shared_preload_libraries = 'pg_stat_statements', "
    "restart the server, and, as a superuser, create extension pg_stat_statements."
)


class Cost(NamedTuple):
    """A query variant's cost for a role, in milliseconds; `mean` and `planning` per call."""

    query: str
    variant: str
    role: str
    file: str
    calls: int
    rows: int
    total: float
    mean: float
    planning: float


@click.command("queries")
@click.option("--sort", type=click.Choice(["total", "mean", "planning", "calls"]), default="total", show_default=True)
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print all queries as JSON.")
@click.pass_obj
def show_queries(installation: Installation, sort: str, limit: int, as_json: bool) -> None:
    """List the statements of the service: calls, mean and planning time, file, arguments for explain.

    Append the end of a line to `pipeline explain`.

    The figures come from pg_stat_statements of each server. Reset them with `select pg_stat_statements_reset()`.
    Planning times need pg_stat_statements.track_planning = on.
    """
    with installation.access() as access:
        statistics = [row for server in servers_of(access) for row in _statistics(server)]
    costs = sorted(summed(statistics), key=attrgetter(sort), reverse=True)
    if as_json:
        click.echo(orjson.dumps([cost._asdict() for cost in costs]))
        return
    whole = sum(cost.total for cost in costs) or 1.0
    click.echo(f"{'share':>6} {'calls':>9} {'mean ms':>9} {'plan ms':>8} {'rows':>8}  {'file':<40} pipeline explain")
    for cost in costs[:limit]:
        click.echo(
            f"{cost.total / whole:>6.1%} {cost.calls:>9} {cost.mean:>9.3f} {cost.planning:>8.3f} "
            f"{cost.rows / cost.calls:>8.1f}  {cost.file or OTHER:<40} {explained(cost)}"
        )


def explained(cost: Cost) -> str:
    """Arguments of `pipeline explain`, or another statement's beginning."""
    if not cost.file:
        return cost.variant
    return " ".join((cost.query, *cost.variant.replace(",", "").split(), *AS.get(cost.role, ())))


def _statistics(server: Access) -> list[Row]:
    with connected(server) as connection, connection.transaction(), queries.on(connection):
        schema = queries.statistics_schema()
        if schema is None:
            raise Failure(f"{address_of(server)}: {NOT_THERE}")
        queries.search_only(schema=schema)
        return queries.statement_statistics()


def summed(statistics: Iterable[Row]) -> list[Cost]:
    """Costs from rows of pg_stat_statements, summed over organizations."""
    files = {query.name: _source_line(query.statement) for query in queries}
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0.0])
    for row in statistics:
        said = SAID.search(row["query"])
        if said is not None and said["name"] in files:
            # After a change of role, the new role counts.
            role = str(said["role"] or LOGIN.get(row["login"], row["login"]))
            key = said["name"], said["variant"] or "", role
        else:
            key = OTHER, " ".join(row["query"].split())[:60], row["login"]
        for number, column in enumerate(("calls", "rows", "total", "planning")):
            sums[key][number] += row[column]
    return [
        Cost(name, variant, role, files.get(name, ""), int(calls), int(rows), total, total / calls, planning / calls)
        for (name, variant, role), (calls, rows, total, planning) in sums.items()
    ]


def _source_line(statement: Statement) -> str:
    return f"{statement.file.relative_to(shipped('sql').parent)}:{statement.number}"
