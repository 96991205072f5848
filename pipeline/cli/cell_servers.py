"""The cells of CELLS_FILE for commands: their servers, migrations and checks."""

from collections.abc import Callable

import psycopg

from pipeline.cells import shared
from pipeline.cells.servers import CellsError, Owner, Server, Servers, number_ids, value
from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.database import revisions
from pipeline.database.execution import chaos_point
from pipeline.process.settings.cells import HOME

WORKS = "works"


def servers_of(access: Access) -> Servers:
    """The servers of the settings; raises CellsError."""
    found = access.settings.cells
    home = found.get(HOME)
    own = Server(HOME, (home and home.owner) or access.owner_url, (home and home.replication) or access.owner_url)
    others = {name: access.to_cell(name).owner_url for name in found if name != HOME}
    return Servers(
        {HOME: own} | {name: Server(name, url, found[name].replication or url) for name, url in others.items()}
    )


def migrate_cells(access: Access, upgrade: Callable[[Access], None], log: Callable[[str], None]) -> None:
    """Call `upgrade` for the cells in turn; raises Failure while an organization moves."""
    try:
        servers = servers_of(access)
        with servers.home.connect() as home:
            if value(home, "select to_regclass('cells.moves')") is None:
                return
            if moving := value(home, "select organization_id from cells.moves limit 1"):
                raise Failure(f"Organization {moving} is moving: finish or abort that first (pipeline cells list).")
            members: dict[str, int] = dict(
                home.execute("select name, number from cells.members where name <> 'home'").fetchall()
            )
        for name in sorted(members, key=lambda name: members[name]):
            upgrade(access.to_cell(name))
            with servers.named(name).connect() as cell:
                number_ids(cell, members[name])
            chaos_point("migrate_between_cells")
            log(f"The schema of {name} is this release's.")
    except CellsError as error:
        raise Failure(str(error)) from None
    except psycopg.errors.InsufficientPrivilege:
        # A login that may not migrate; the upgrade of home says which right it lacks.
        return


def check_cells(access: Access) -> str:
    """What `pipeline doctor` says of the cells; raises Failure."""
    try:
        servers = servers_of(access)
        wrong = shared.disagreements(servers)
        with servers.home.connect() as home:
            known = home.execute("select name from cells.members where name <> 'home' order by number").fetchall()
            moving = home.execute("select organization_id, step from cells.moves order by 1").fetchall()
            for (name,) in known:
                wrong += _faults(home, servers, name)
    except CellsError as error:
        raise Failure(str(error)) from None
    wrong += [f"organization {id} is moving ({step}): pipeline cells move goes on" for id, step in moving]
    if wrong:
        raise Failure("\n  ".join(["see docs/scaling.md:", *wrong]))
    return f"home and {len(known)} more: each follows home, and has the organizations that the map places there"


def _faults(home: Owner, servers: Servers, name: str) -> list[str]:
    """What is wrong with a cell."""
    _lag_ms, state = lag_of(home, name)
    try:
        with servers.named(name).connect() as cell:
            revision, needed = revisions.current(cell), revisions.current(home)
    except psycopg.OperationalError:
        return [f"{name} is away"]
    faults = [] if state == WORKS else [f"{name} is {state}"]
    return [*faults, *([f"{name} has the schema {revision}, home {needed}"] if revision != needed else [])]


def lag_of(home: Owner, name: str) -> tuple[str, str]:
    """(the milliseconds until the cell had the last change of home, its state)."""
    if name == HOME:
        return "", WORKS
    row = home.execute(
        "select s.active, (extract(epoch from coalesce(r.replay_lag, '0')) * 1000)::int from pg_replication_slots s "
        "left join pg_stat_replication r on r.pid = s.active_pid where s.slot_name = %s",
        [shared.subscription_of(name)],
    ).fetchone()
    if row is None:
        return "", "without a slot: pipeline cells reconcile"
    return str(row[1]) if row[0] else "", WORKS if row[0] else "not following home"
