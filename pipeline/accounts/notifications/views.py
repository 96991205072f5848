"""The notification endpoints."""

from pipeline.accounts.notifications import service
from pipeline.http.core.request import Request
from pipeline.http.core.security import MEMBER
from pipeline.http.endpoints.declared import Records
from pipeline.http.endpoints.resource import Resource
from pipeline.http.endpoints.shapes import COUNT, OBJECT, TIMESTAMP, Record, Shape

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
