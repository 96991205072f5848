"""`stale` reads on the replica of DATABASE_REPLICA_URL.

The primary authenticates, and reads when the replica is away or behind.
"""

import threading
import time

import psycopg
import structlog
from pyramid.config import Configurator

from pipeline.database import Database, queries, sure
from pipeline.http.authentication import again
from pipeline.http.request import Request
from pipeline.http.security import Needed
from pipeline.telemetry.metrics import replica_reads, series

# Seconds to wait for a connection, and between attempts.
PATIENCE_SECONDS, PAUSE_SECONDS = 1.0, 5.0
READ, BEHIND, AWAY = "read", "behind", "away"

log = structlog.get_logger(__name__)


class Replica:
    """The replica's connection pool and state."""

    def __init__(self, url: str, size: int, seconds: int) -> None:
        self.database = Database(url, size, "replica", PATIENCE_SECONDS)
        self.seconds, self._again_at, self._lock = seconds, 0.0, threading.Lock()

    def is_away(self) -> bool:
        """Whether it was away a moment ago."""
        return time.monotonic() < self._again_at

    def note_away(self, error: Exception) -> None:
        """Avoid it for a while; logs once."""
        with self._lock:
            told, self._again_at = self.is_away(), time.monotonic() + PAUSE_SECONDS
        if not told:
            log.warning("the replica is away, the primary reads", error=str(error))

    def enter(self, request: Request, position: str) -> str:
        """Begin the caller's transaction; returns READ, BEHIND or AWAY.

        position: the primary's WAL position.
        """
        caller = request.caller
        if self.is_away():
            return AWAY
        try:
            request.transaction.begin(self.database)
            entered = sure(
                queries.replica_enter(
                    organization_id=caller.organization_id,
                    user_id=caller.user_id,
                    key_id=caller.key_id,
                    role=caller.role,
                    position=position,
                    seconds=self.seconds,
                )
            )
        except psycopg.OperationalError as error:
            self.note_away(error)
            return AWAY
        return READ if entered["fresh"] else BEHIND


def read_there(request: Request, permission: str | Needed) -> None:
    """Move the transaction to the replica, if possible."""
    replica = request.registry.replica
    if replica is None:
        return
    position = queries.wal_position()
    request.transaction.end(commit=True)
    became = replica.enter(request, position)
    series(replica_reads, became).inc()
    if became != READ:
        again(request, permission, commit=False)


def includeme(config: Configurator) -> None:
    """Set `registry.replica`, None without the setting."""
    settings = config.registry.pipeline
    url, most = settings.database_replica_url, settings.heavy_requests  # for heavy work only
    config.registry.replica = Replica(url, most, settings.database_replica_seconds) if url else None
