"""`pipeline cells`: several PostgreSQL servers (docs/scaling.md)."""

import contextlib
from collections.abc import Iterator

import click
import psycopg

from pipeline.cells import moves, shared
from pipeline.cells.servers import CellsError, Owner, Server, Servers, value
from pipeline.cli.cell_servers import lag_of, servers_of
from pipeline.cli.databases import schema
from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access, Installation
from pipeline.process.settings.cells import HOME

MIB = 1024 * 1024


@click.group()
def cells() -> None:
    """Manage several PostgreSQL servers, each with whole organizations."""


@cells.command("add")
@click.argument("name")
@click.pass_obj
def add_cell(installation: Installation, name: str) -> None:
    """Make the database NAME of CELLS_FILE a cell: schema, logins, and copies of the shared tables."""
    with installed(installation) as (access, servers):
        schema.upgrade(access.to_cell(name), installation.log)
        number = shared.add(servers, name, installation.log)
    click.echo(f"{name} is cell {number}.")


@cells.command("list")
@click.pass_obj
def list_cells(installation: Installation) -> None:
    """Print each cell's organizations, size, lag and state, and the moves under way."""
    with installed(installation) as (_access, servers), servers.home.connect() as home:
        placed: dict[str, int] = dict(
            home.execute("select cell, count(*) from cells.placements where cell <> 'home' group by cell").fetchall()
        )
        click.echo(f"{'cell':<16}{'organizations':>14}{'MiB':>10}{'lag ms':>8}  state")
        for name, server in servers.by_name.items():
            click.echo(_line(home, server, name, placed))
        moving = home.execute("select organization_id, source, target, step from cells.moves order by 1").fetchall()
    for id, source, target, step in moving:
        click.echo(f"organization {id} moves from {source} to {target}: {step}")


@cells.command("move")
@click.argument("organization")
@click.option("--to", "target", metavar="CELL", help="The cell to move to.")
@click.option("--keep", is_flag=True, help="Leave the copy in the former cell; a further call deletes it.")
@click.option("--accept", is_flag=True, help="Delete the copy although its comparison found a difference.")
@click.option("--abort", "aborts", is_flag=True, help="Take back a move that has not switched.")
@click.pass_obj
def move_organization(
    installation: Installation, organization: str, target: str | None, keep: bool, accept: bool, aborts: bool
) -> None:
    """Move ORGANIZATION (slug or id) to another cell while it works. The same command goes on after an interruption."""
    with installed(installation) as (_access, servers):
        id = find(servers, organization)
        if aborts:
            moves.abort(servers, id, installation.log)
            click.echo(f"Organization {id} stays.")
            return
        if not target:
            raise Failure("Name the cell: --to CELL.")
        done = moves.move(servers, id, target, installation.log, keep, accept)
    click.echo(
        f"Organization {id} is in {target}; {done.rows} rows of {done.tables} tables are equal; "
        f"requests waited {done.fenced * 1000:.0f} ms."
    )


@cells.command("reconcile")
@click.argument("name")
@click.pass_obj
def reconcile_cell(installation: Installation, name: str) -> None:
    """After a restore of the cell NAME, or a lost slot: copy the shared tables anew, and name what disagrees."""
    with installed(installation) as (_access, servers):
        lines = shared.reconcile(servers, name, installation.log)
    for line in lines:
        click.echo(line)
    click.echo(f"{name} agrees with the map." if not lines else f"{name} serves what the map places there.")


@cells.command("remove")
@click.argument("name")
@click.pass_obj
def remove_cell(installation: Installation, name: str) -> None:
    """Take the empty cell NAME out of the installation."""
    with installed(installation) as (_access, servers):
        shared.remove(servers, name)
    click.echo(f"{name} is no cell any more; delete its section in CELLS_FILE.")


@contextlib.contextmanager
def installed(installation: Installation) -> Iterator[tuple[Access, Servers]]:
    """The Access and the servers of CELLS_FILE; a CellsError becomes a Failure."""
    with installation.access() as access:
        try:
            yield access, servers_of(access)
        except CellsError as error:
            raise Failure(str(error)) from None


def find(servers: Servers, organization: str) -> int:
    """The id of an organization by slug or id, in any cell; raises CellsError."""
    if organization.isdecimal():
        return int(organization)
    for server in servers.by_name.values():
        with contextlib.suppress(psycopg.OperationalError), server.connect() as connection:
            if id := value(connection, "select id from app.organizations where slug = %s", organization):
                return id
    raise CellsError(f"There is no organization {organization}.")


def _line(home: Owner, server: Server, name: str, placed: dict[str, int]) -> str:
    try:
        with server.connect() as cell:
            size = value(cell, "select pg_database_size(current_database())") // MIB
            number = placed.get(name, 0)
            if name == HOME:
                number = value(cell, "select count(*) from app.organizations where app.is_here(id)")
            lag, state = lag_of(home, name)
            return f"{name:<16}{number:>14}{size:>10}{lag:>8}  {state}"
    except psycopg.OperationalError:
        return f"{name:<16}{placed.get(name, 0):>14}{'':>10}{'':>8}  away"
