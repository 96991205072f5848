"""The caller's notifications, by row-level security."""

from pipeline.database import Row, not_none, queries


def read_notification(id: int) -> bytes | None:
    """Marks as read, once; returns JSON or None."""
    queries.notification_read(id=id)
    return queries.notification_get.json(id=id)


def get_emails(user_id: int | None) -> Row:
    """The kinds of notifications that a user gets by email."""
    return not_none(queries.notification_emails_get(user_id=user_id))


def set_emails(user_id: int | None, **kinds: bool) -> Row:
    """Stores the kinds; returns them."""
    if get_emails(user_id) != kinds:
        queries.notification_emails_set(user_id=user_id, **kinds)
    return get_emails(user_id)


def read_all() -> dict[str, int]:
    """Returns {"read": count}."""
    return {"read": queries.notification_read_all()}
