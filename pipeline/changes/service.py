"""The change feed: every change once it is settled, in an order that a reader can remember a place of."""

import time

from pipeline.changes.cursors import Place
from pipeline.database import dumps, queries, sure
from pipeline.errors import Problem

# A reader who was away for longer begins anew: they read the records, and follow from now on.
KEPT = 30 * 24 * 3600


def feed(after: Place | None, limit: int, types: list[str] | None) -> bytes:
    """JSON bytes of the changes after a Place, at most `limit`, and of the cursor to go on with; 410 for an old one."""
    if after is None:
        return dumps({"data": [], "next": queries.change_feed_end(), "more": False})
    if after.second < time.time() - KEPT:
        raise Problem("cursor_expired", "Changes are kept for 30 days.")
    found = sure(queries.change_feed(transaction_id=after.transaction_id, id=after.id, limit=limit, types=types))
    if found["ahead"]:
        raise Problem("cursor_expired", "The cursor is not of this database.")
    return found["feed"].encode()
