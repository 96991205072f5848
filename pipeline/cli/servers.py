"""The servers of a database."""

import contextlib
from collections.abc import Iterator

import psycopg

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Access, OwnerConnection
from pipeline.database import is_distributed
from pipeline.database.cluster import catalog
from pipeline.database.waiting import first_line
from pipeline.process.settings.database_url import address_of

# Changes stay on one server; shards are visible.
ON_ONE = "set citus.enable_ddl_propagation = off; set citus.override_table_visibility = off"


def servers_of(access: Access) -> list[Access]:
    """An Access per server, the coordinator's first; raises NotDistributed."""
    with access.connect() as connection:
        if not is_distributed(connection):
            return [access]
        places = connection.execute(catalog.WORKERS).fetchall()
    return [access, *(access.at(host=host, port=port) for host, port in places)]


@contextlib.contextmanager
def connected(access: Access) -> Iterator[OwnerConnection]:
    """The owner's connection to this server; raises Failure."""
    try:
        connection = access.connect(autocommit=True)
    except psycopg.OperationalError as error:
        raise Failure(f"{address_of(access.owner_url)} cannot be used: {first_line(error)}") from None
    with connection:
        connection.execute(ON_ONE)
        yield connection


def check_alone(access: Access, instead: str) -> None:
    """Raise Failure with the advice `instead` on a cluster."""
    with access.connect() as connection:
        if is_distributed(connection):
            raise Failure(f"This database is distributed over a cluster: {instead} (docs/citus.md).")
