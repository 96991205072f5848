"""The notification endpoints."""

from pipeline.http.declared import record
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.notifications import schemas, service, shapes

notifications, notification = record(
    "/notifications",
    "notification",
    "notifications",
    offers=("list", "get"),
    query=schemas.NotificationList(),
    shows=shapes.NOTIFICATION,
)


all_read = Resource("/notifications/read-all", "Mark all notifications as read")
read = Resource("/notifications/{id}/read", "Mark a notification as read")


@all_read.put(access=MEMBER, answer=shapes.ALL_READ)
def mark_all_notifications_read(request: Request) -> dict[str, int]:
    return service.read_all()


@read.put(access=MEMBER, answer=shapes.NOTIFICATION)
def mark_notification_read(request: Request, id: int) -> bytes | None:
    return service.read_notification(id)
