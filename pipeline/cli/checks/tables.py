"""The doctor's checks of tables."""

from collections.abc import Callable, Iterable

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access
from pipeline.database import Row, queries

# Below this, statistics matter little.
LEAST_ROWS = 10_000


def on(access: Access, check: Callable[[], str]) -> str:
    """A check's text; raises Failure."""
    with access.connect() as connection, queries.on(connection):
        return check()


def confinement() -> str:
    if found := _names(queries.tables_unconfined()):
        raise Failure(f"off, not forced or without the organization's policy on {found}; see docs/database.md.")
    return "forced on every table with an organization's rows"


def leaky() -> str:
    if found := _names(queries.indexes_leaky()):
        raise Failure(
            f"row-level security cannot use {found}: a comparison or function in it is not leakproof; "
            "index a plain column, or a stored generated one (docs/database.md, Keys and types)."
        )
    return "none; row-level security can use every index"


def statistics() -> str:
    if found := _names(queries.statistics_stale(least=LEAST_ROWS)):
        raise Failure(f"missing, or stale (half of the rows have changed): {found}; run analyze and check autovacuum.")
    return "up to date for all large tables"


def _names(rows: Iterable[Row]) -> str:
    return ", ".join(row["name"] for row in rows)
