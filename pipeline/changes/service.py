"""The change feed and the audit."""

import time
from typing import Any

from pipeline.api.exports.csv_export import exported
from pipeline.api.pagination import WALK, ListPage, list_page
from pipeline.api.streams import Stream
from pipeline.changes.schemas import CursorPosition
from pipeline.changes.shapes import ENTRY
from pipeline.database import dumps, not_none, queries
from pipeline.validation import Values
from pipeline.validation.errors import Problem

# Seconds.
KEPT = 30 * 24 * 3600


def feed(after: CursorPosition | None, limit: int, types: list[str] | None) -> bytes:
    """Changes after a cursor's position, as JSON bytes."""
    if after is None:
        return dumps({"data": [], "next": queries.change_feed_end(), "more": False})
    if after.second < time.time() - KEPT:
        raise Problem("cursor_expired", "Changes are kept for 30 days.")
    found = not_none(queries.change_feed(transaction_id=after.transaction_id, id=after.id, limit=limit, types=types))
    if found["ahead"]:
        raise Problem("cursor_expired", "The cursor belongs to another database.")
    return found["feed"].encode()


def list_audit(query: Values) -> ListPage | None:
    place = {name: query[name] for name in ("page", "per_page", *WALK)}
    page = list_page(conditions(query) | place, queries.audit_list)
    return page and page._replace(key="entry")


def export_audit(filters: Values) -> Stream:
    return exported("audit.csv", tuple(ENTRY.members), queries.audit_export, conditions(filters))


def conditions(filters: Values) -> dict[str, Any]:
    """The SQL parameters of the audit's filters."""
    kind, _, id = (filters["actor"] or "").partition(":")
    actor = {"actor_kind": kind or None, "actor_id": int(id) if id else None}
    times = {"since": filters["from"], "before": filters["to"]}
    return {name: filters[name] for name in ("type", "id", "action")} | actor | times
