"""The notification endpoints."""

from pipeline.http.declared import Records
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import COUNT, OBJECT, TIMESTAMP, Record, Shape
from pipeline.notifications import service

NOTIFICATION = Record(
    "notification",
    "A message to a user, for example about a submitted interview or a captured lead.",
    data=OBJECT,
    updated_at=TIMESTAMP,
)
ALL_READ = Shape("AllRead", "The number of notifications that were unread.", read=COUNT)


notifications = Records("/notifications", "notification", shows=NOTIFICATION)
notifications.list("list_notifications")
notifications.get("get_notification")


all_read = Resource("/notifications/read-all", "Mark all notifications as read")
read = Resource("/notifications/{id}/read", "Mark a notification as read")


@all_read.put(access=MEMBER, answer=ALL_READ)
def mark_all_notifications_read(request: Request) -> dict[str, int]:
    return service.read_all()


@read.put(access=MEMBER, answer=NOTIFICATION)
def mark_notification_read(request: Request, id: int) -> bytes | None:
    return service.read_notification(id)
