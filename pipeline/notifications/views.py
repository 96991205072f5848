"""The notification endpoints."""

from pipeline.http.declared import record
from pipeline.notifications import schemas, shapes

notifications, notification = record(
    "/notifications",
    "notification",
    "notifications",
    offers=("list", "get"),
    query=schemas.NotificationList(),
    shows=shapes.NOTIFICATION,
)
