"""Several PostgreSQL servers: the cell of an organization, and transactions of one request in several cells.

Every process has the map. A cell refuses organizations of others, so an outdated map costs another try.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeVar

import psycopg
import structlog

from pipeline.database.connections import BEGIN, Connection, Database
from pipeline.database.queries import Row, queries
from pipeline.process.settings.cells import HOME

T = TypeVar("T")
JOBS = "jobs"
# A switch takes tens of milliseconds; afterwards the client tries again.
SWITCH_SECONDS = 2.0
LOOK_SECONDS = 0.02
# How long a row of home may take to a cell, before sign-in gives up.
ARRIVAL_SECONDS = 2.0
WATCH_SECONDS = 1.0
# How long a process remembers where a key, token or slug is, and that nobody knows it.
HELD_SECONDS, UNKNOWN_SECONDS, MOST_HELD = 30.0, 5.0, 100_000
# Rows of the map may commit later than they were written.
OVERLAP = timedelta(seconds=30)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)

log = structlog.get_logger("pipeline.cells")


class Away(psycopg.OperationalError):
    """A cell is away or behind."""


class Place(NamedTuple):
    """The cell of an organization; `fenced` while a move switches."""

    cell: str
    fenced: bool = False


class Cell(Database):
    """A cell's pool; `home` knows the cell of an organization."""

    home: "Home"

    def __init__(self, home: "Home", cell: str, url: str, size: int, name: str) -> None:
        super().__init__(url, size, f"{name} {cell}")
        self.home, self.cell = home, cell

    def begin(self, statement: bytes = BEGIN) -> Connection:
        # At once, if the watch has found the cell away: else each sign-in would wait for the pool.
        if self.cell in self.home.away and threading.current_thread() is not self.home.watch:
            raise Away(f"The cell {self.cell} is away")
        return super().begin(statement)


class Home(Database):
    """The pool of home, with those of the other cells and the map.

    urls: {cell: URL}. lag: seconds after which a cell refuses tokens.
    """

    def __init__(self, url: str, size: int, name: str, urls: dict[str, str], lag: float) -> None:
        super().__init__(url, size, name)
        self.map: dict[int, Place] = {}
        self.held: dict[tuple[str, str], tuple[int | None, float]] = {}
        self.lag, self.lags, self.away = lag, dict.fromkeys(urls, 0.0), set[str]()
        self._since, self._changed, self._stopping = LONG_AGO, time.monotonic(), threading.Event()
        self._beat: datetime | None = None
        others = {cell: Cell(self, cell, url, size, name) for cell, url in urls.items()}
        self._named: dict[str, Database] = {HOME: self, **others}
        self.watch = threading.Thread(target=self._watch_cells, name="cells", daemon=True)

    @property
    def cells(self) -> list[Database]:
        return list(self._named.values())

    def start(self) -> None:
        """Read the map, and follow it; raises psycopg.OperationalError."""
        self._read_map(self)
        self.watch.start()

    def of(self, organization_id: int) -> Database:
        place = self.map.get(organization_id)
        if place is None:
            return self
        if place.cell not in self._named:
            raise Away(f"CELLS_FILE does not name the cell {place.cell}")
        return self._named[place.cell]

    def check_lag(self, organization_id: int) -> None:
        """Raise Away if the organization's cell is behind."""
        place = self.map.get(organization_id)
        if place is not None and self.lags.get(place.cell, 0.0) > self.lag:
            raise Away(f"The copies of the shared tables in the cell {place.cell} are behind")

    def states(self) -> dict[str, tuple[str, float]]:
        return {
            name: ("away" if name in self.away else "behind" if behind > self.lag else "ok", behind)
            for name, behind in self.lags.items()
        }

    def holding(self, kind: str, key: str) -> Database:
        """The cell with a key, else home; raises Away if it may be in an absent cell."""
        known = self.held.get((kind, key))
        if known is None or known[1] < time.monotonic():
            known = self._find(kind, key)
        return self if known[0] is None else self.of(known[0])

    def _find(self, kind: str, key: str) -> tuple[int | None, float]:
        away: psycopg.OperationalError | None = None
        found: int | None = None
        for cell in self.cells:
            try:
                with cell.transaction():
                    found = queries.placement_holder(kind=kind, key=key.replace("\0", ""))
            except psycopg.OperationalError as error:
                away = error
            if found is not None:
                break
        if found is None and away is not None:
            raise away
        if len(self.held) >= MOST_HELD:
            self.held = {}
        seconds = UNKNOWN_SECONDS if found is None else HELD_SECONDS
        known = self.held[kind, key] = found, time.monotonic() + seconds
        return known

    def held_by(self, kind: str, key: str) -> int | None:
        known = self.held.get((kind, key))
        return known and known[0]

    def has_moved(self, organization_id: int, sought: Database | None) -> bool:
        self._read_anyhow()
        return sought in self.cells and self.of(organization_id) is not sought

    def has_switched(self, begun: float) -> bool:
        """Whether a move switches, or has switched since shortly before `begun`; reads the map."""
        self._read_anyhow()
        # The map may come to a cell a moment later than to this process.
        return self._changed + ARRIVAL_SECONDS > begun or any(place.fenced for place in list(self.map.values()))

    def follows(self, error: psycopg.Error, begun: float) -> bool:
        """Whether to try again after PI010, by the map read anew."""
        if not is_not_here(error) or time.monotonic() > begun + SWITCH_SECONDS:
            return False
        organization_id = int(error.diag.message_detail or 0)
        before = self.map.get(organization_id)
        self._read_anyhow()
        place = self.map.get(organization_id)
        if place is None or place == before or place.fenced:
            time.sleep(LOOK_SECONDS)
        return True

    def _read_anyhow(self) -> None:
        """Read the map from home, or from a cell's copy while home is away."""
        for cell in self.cells:
            with contextlib.suppress(psycopg.OperationalError):
                self._read_map(cell)
                return

    def _read_map(self, cell: Database) -> None:
        with cell.transaction():
            rows = queries.placement_list(since=self._since)
        for row in rows:
            id, place = row["organization_id"], Place(row["cell"], row["state"] == "fenced")
            if self.map.get(id) != place:
                self.map[id], self._changed = place, time.monotonic()
            self._since = max(self._since, row["placed_at"] - OVERLAP)

    def _watch_cells(self) -> None:
        while not self._stopping.wait(WATCH_SECONDS):
            try:
                self._read_anyhow()
                self._compare()
            except Exception as error:
                log.warning("cells not compared", error=str(error))

    def _compare(self) -> None:
        """Measure the lags; 0 without home."""
        beats: dict[str, datetime] = {}
        for name, cell in reversed(self._named.items()):
            with contextlib.suppress(psycopg.OperationalError), cell.transaction():
                beats[name] = queries.cell_beat(write=name == HOME and self.name == JOBS)
        self.note(beats)

    def note_away(self, cell: str) -> None:
        self.away = {*self.away, cell}

    def note(self, beats: dict[str, datetime]) -> None:
        """Note the cells that answer, and their lags."""
        self.away = set(self.lags) - set(beats)
        # Home's beat of the comparison before has had time to arrive.
        expected, self._beat = self._beat, beats.get(HOME)
        for name in self.lags:
            there = beats.get(name)
            behind = (expected - there).total_seconds() if expected and there else 0.0
            self.lags[name] = max(0.0, behind)

    def close(self) -> None:
        self._stopping.set()
        for cell in self.cells:
            if cell is not self:
                cell.close()
        super().close()


def is_not_here(error: Exception) -> bool:
    """Whether a cell refused an organization."""
    return isinstance(error, psycopg.Error) and error.sqlstate == "PI010"


def home() -> Database:
    """Home's pool, of the thread's transaction."""
    database = queries.bound().database
    if database is None:
        raise RuntimeError("The transaction has no pool.")
    return database.home


def several() -> bool:
    """Whether the thread's transaction is one of several cells."""
    return bool(_others())


def _others() -> list[Database]:
    """The other cells than that of the thread's transaction."""
    database = queries.bound().database
    return [] if database is None else [cell for cell in database.home.cells if cell is not database]


def check_switch(begun: float) -> None:
    """Raise Away if seats, asked for since `begun`, may be missing because a move switches."""
    pools = home()
    if isinstance(pools, Home) and pools.has_switched(begun):
        raise Away("A move has just switched")


def check_settled(begun: float) -> None:
    """As `check_switch`, and if a cell is away or behind."""
    check_switch(begun)
    if any(state != "ok" for state, _behind in home().states().values()):
        raise Away("A cell is away or behind")


def is_elsewhere(organization_id: int) -> bool:
    """Whether an organization is in another cell than the thread's transaction."""
    database = queries.bound().database
    return database is not None and database.home.of(organization_id) is not database


def at_home() -> AbstractContextManager[None]:
    """Run the block's queries in home; from elsewhere in a transaction of its own."""
    database = queries.bound().database
    return _within(database and database.home)


def in_cell_of(organization_id: int) -> AbstractContextManager[None]:
    """As `at_home`, for an organization's cell."""
    database = queries.bound().database
    return _within(database and database.home.of(organization_id))


def in_cell_holding(kind: str, key: str) -> AbstractContextManager[None]:
    """As `at_home`, for the cell with a key."""
    database = queries.bound().database
    return _within(database and database.home.holding(kind, key))


@contextlib.contextmanager
def _within(cell: Database | None) -> Iterator[None]:
    if cell is None or cell is queries.bound().database:
        yield
        return
    with cell.transaction():
        yield


def everywhere(ask: Callable[[], list[Row]]) -> list[Row]:
    """The rows of a query in each cell, by id; a cell that is away has none."""
    rows, others = list(ask()), _others()
    for cell in others:
        try:
            with cell.transaction():
                rows += ask()
        except psycopg.OperationalError as error:
            log.warning("cell left out", cell=cell.cell, error=str(error))
            cell.home.note_away(cell.cell)
    return sorted(rows, key=lambda row: row["id"]) if others else rows


def arrived(ask: Callable[[], T | None]) -> T:
    """The first true result of a query of rows from home; raises Away."""
    end = time.monotonic() + ARRIVAL_SECONDS
    while not (found := ask()):
        if time.monotonic() > end:
            raise Away("The rows of home have not arrived in the cell")
        time.sleep(0.002)
    return found


def is_name_taken(kind: str, name: str | None) -> bool:
    """Whether an organization of another cell has a slug, or saves it."""
    others, organization_id = _others(), int(queries.bound().organization or 0)
    if not name or not others:
        return False
    with home().transaction():
        if not queries.name_claim(kind=kind, name=name, organization_id=organization_id):
            return True
    for cell in others:
        with cell.transaction():
            if queries.placement_holder(kind=kind, key=name) not in (None, organization_id):
                return True
    return False
