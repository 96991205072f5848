"""The cells of CELLS_FILE for commands: their servers, migrations and checks."""

import contextlib
import time
from collections.abc import Callable, Iterator

import psycopg

from pipeline.cells import shared
from pipeline.cells.servers import CellsError, Owner, Server, Servers, check_name, has_slot, number_ids, value
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


@contextlib.contextmanager
def cells_migrated(access: Access, upgrade: Callable[[Access], None], log: Callable[[str], None]) -> Iterator[None]:
    """Call `upgrade` for the cells in turn; raises Failure while an organization moves. None moves during the block."""
    with contextlib.ExitStack() as stack:
        try:
            _migrate_cells(access, stack, upgrade, log)
        except CellsError as error:
            raise Failure(str(error)) from None
        except psycopg.errors.InsufficientPrivilege:
            # A login that may not migrate; the upgrade of home says which right it lacks.
            pass
        yield


def _migrate_cells(
    access: Access, stack: contextlib.ExitStack, upgrade: Callable[[Access], None], log: Callable[[str], None]
) -> None:
    servers = servers_of(access)
    home = stack.enter_context(servers.home.connect())
    if value(home, "select to_regclass('cells.members')") is None:
        return
    members: dict[str, int] = dict(
        home.execute("select name, number from cells.members where name <> 'home' order by number").fetchall()
    )
    if members:
        _exclude_moves(home)
    for name, number in members.items():
        upgrade(access.to_cell(name))
        with servers.named(name).connect() as cell:
            number_ids(cell, number)
        chaos_point("migrate_between_cells")
        log(f"The schema of {name} is this release's.")


def _exclude_moves(home: Owner) -> None:
    """Wait for other migrations, and let no move begin until the connection ends; raises Failure during a move."""
    locked = False
    while True:
        if moving := value(home, "select organization_id from cells.moves limit 1"):
            raise Failure(f"Organization {moving} is moving: finish or abort that first (pipeline cells list).")
        if locked:
            return
        locked = value(home, "select pg_try_advisory_lock(hashtextextended('pipeline migrate', 0))")
        time.sleep(0 if locked else 0.2)


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
            check_name(cell, name)
            revision, needed = revisions.current(cell), revisions.current(home)
    except psycopg.OperationalError:
        return [f"{name} is away"]
    except CellsError as error:
        return [str(error)]
    faults = [] if state == WORKS else [f"{name} is {state}"]
    return [*faults, *([f"{name} has the schema {revision}, home {needed}"] if revision != needed else [])]


def lag_of(home: Owner, name: str) -> tuple[str, str]:
    """(the milliseconds until the cell had the last change of home, its state)."""
    if name == HOME:
        return "", WORKS
    if value(home, "select 1 from cells.members where name = %s", name) is None:
        return "", f"no cell yet: pipeline cells add {name}"
    slot = shared.subscription_of(name)
    if not has_slot(home, slot):
        return "", f"without a slot: pipeline cells reconcile {name}"
    lag = value(
        home,
        "select (extract(epoch from coalesce(r.replay_lag, '0')) * 1000)::int from pg_replication_slots s "
        "join pg_stat_replication r on r.pid = s.active_pid where s.slot_name = %s and s.active",
        slot,
    )
    return ("", "not following home") if lag is None else (str(lag), WORKS)
