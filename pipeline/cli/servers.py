"""The servers of a database."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from pipeline.cli.failures import Failure
from pipeline.cli.installation import LOGINS, Access, OwnerConnection
from pipeline.database import is_distributed
from pipeline.database.waiting import first_line

WORKERS = """
select nodename, nodeport from pg_dist_node
where groupid <> 0 and isactive and noderole = 'primary' order by nodeid"""
# Changes stay on one server; shards are visible.
ON_ONE = "set citus.enable_ddl_propagation = off; set citus.override_table_visibility = off"


def servers_of(access: Access) -> list[Access]:
    """An Access per server, the coordinator's first; raises NotDistributed."""
    with access.connect() as connection:
        if not is_distributed(connection):
            return [access]
        places = connection.execute(WORKERS).fetchall()
    return [access, *(_at(access, host, port) for host, port in places)]


def address_of(access: Access) -> str:
    """host:port of the server."""
    parts = conninfo_to_dict(access.owner_url)
    return f"{parts.get('host') or 'localhost'}:{parts.get('port') or 5432}"


@contextlib.contextmanager
def connected(access: Access) -> Iterator[OwnerConnection]:
    """The owner's connection to this server; raises Failure."""
    try:
        connection = access.connect(autocommit=True)
    except psycopg.OperationalError as error:
        raise Failure(f"{address_of(access)} cannot be used: {first_line(error)}") from None
    with connection:
        connection.execute(ON_ONE)
        yield connection


def check_alone(access: Access, instead: str) -> None:
    """Raise Failure with the advice `instead` on a cluster."""
    with access.connect() as connection:
        if is_distributed(connection):
            raise Failure(f"This database is distributed over a cluster: {instead} (docs/citus.md).")


def _at(access: Access, host: str, port: int) -> Access:
    urls: dict[str, Any] = {
        name: make_conninfo(getattr(access.settings, name), host=host, port=port) for name in LOGINS.values()
    }
    owner = make_conninfo(access.owner_url, host=host, port=port)
    return Access(owner, replace(access.settings, database_listen_url="", **urls))
