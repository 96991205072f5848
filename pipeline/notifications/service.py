"""The caller's own notifications; row-level security shows no others."""

from pipeline.database import queries


def read_notification(id: int) -> bytes | None:
    """Mark a notification as read: its JSON, or None. What was read keeps its time."""
    queries.notification_read(id=id)
    return queries.notification_get.json(id=id)


def read_all() -> dict[str, int]:
    """Mark all notifications as read: {"read": how many were not}."""
    return {"read": queries.notification_read_all()}
