"""`stale` reads on the replica of DATABASE_REPLICA_URL.

The primary authenticates, and reads when the replica is away or behind.
"""

import threading
import time
from collections.abc import Callable

import psycopg
import structlog
from pyramid.config import Configurator

from pipeline.database import Database, not_none, queries
from pipeline.http.core.security import Identity
from pipeline.process.metrics import replica_reads, series

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
            away, self._again_at = self.is_away(), time.monotonic() + PAUSE_SECONDS
        if not away:
            log.warning("the replica is away, the primary reads", error=str(error))

    def enter(self, begin: Callable[[Database], None], caller: Identity, position: str) -> str:
        """Begin the caller's transaction; returns READ, BEHIND or AWAY.

        position: the primary's WAL position.
        """
        became = AWAY if self.is_away() else self._enter(begin, caller, position)
        series(replica_reads, became).inc()
        return became

    def _enter(self, begin: Callable[[Database], None], caller: Identity, position: str) -> str:
        try:
            begin(self.database)
            entered = not_none(
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


def includeme(config: Configurator) -> None:
    """Set `registry.replica`, None without the setting."""
    settings = config.registry.pipeline
    url, most = settings.database_replica_url, settings.heavy_requests  # for heavy work only
    config.registry.replica = Replica(url, most, settings.database_replica_seconds) if url else None
