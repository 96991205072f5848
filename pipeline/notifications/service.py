"""The caller's notifications, by row-level security."""

from pipeline.database import queries


def read_notification(id: int) -> bytes | None:
    """Marks as read; returns JSON or None. A repetition keeps the time."""
    queries.notification_read(id=id)
    return queries.notification_get.json(id=id)


def read_all() -> dict[str, int]:
    """Marks all as read; returns {"read": count}."""
    return {"read": queries.notification_read_all()}
