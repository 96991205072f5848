"""The caller's notifications, by row-level security."""

from pipeline.database import queries


def read_notification(id: int) -> bytes | None:
    """Marks as read, once; returns JSON or None."""
    queries.notification_read(id=id)
    return queries.notification_get.json(id=id)


def read_all() -> dict[str, int]:
    """Returns {"read": count}."""
    return {"read": queries.notification_read_all()}
