"""The caller's own notifications; row-level security shows no others."""

from pipeline.database import queries
from pipeline.http.pagination import list_page


def list_notifications(query):
    """The Page of notifications that a NotificationList query asks for, newest first."""
    return list_page(query, queries.notification_list)


def get_notification(id):
    """One notification as JSON bytes, or None."""
    return queries.notification_get.json(id=id)


def read_notification(id):
    """Mark a notification as read: JSON bytes, or None. What was read keeps its time."""
    queries.notification_read(id=id)
    return get_notification(id)


def read_all():
    """Mark all notifications as read: {"read": how many were not}."""
    return {"read": queries.notification_read_all()}
