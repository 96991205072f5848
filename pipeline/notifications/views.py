"""The notification endpoints."""

from pipeline.http.declared import record
from pipeline.notifications import schemas

notifications, notification = record(
    "/notifications", "notification", "notifications", offers=("list", "get"), query=schemas.NotificationList()
)
