"""The notification endpoints."""

from pipeline.accounts import schemas
from pipeline.accounts.notifications import service
from pipeline.accounts.notifications.shapes import ALL_READ, NOTIFICATION, NOTIFICATION_EMAILS
from pipeline.api.declared import Records
from pipeline.api.resource import Resource
from pipeline.database import Row
from pipeline.http.request import Request
from pipeline.http.scopes import RECORDS
from pipeline.http.security import MEMBER
from pipeline.validation import Values

notifications = Records("/notifications", "notification", area=RECORDS, shows=NOTIFICATION)
notifications.list("list_notifications")
notifications.get("get_notification")


all_read = Resource("/notifications/read-all", "Mark all notifications as read", RECORDS)
read = Resource("/notifications/{id}/read", "Mark a notification as read", RECORDS)


emails = Resource("/auth/notification-emails", "The emails about notifications that the caller gets")


@emails.get(access=MEMBER, answer=NOTIFICATION_EMAILS)
def get_notification_emails(request: Request) -> Row:
    return service.get_emails(request.caller.user_id)


@emails.change(
    "patch_notification_emails", access=MEMBER, body=schemas.NotificationEmails(), answer=NOTIFICATION_EMAILS
)
def update_notification_emails(request: Request, body: Values) -> Row:
    return service.set_emails(request.caller.user_id, **body)


@all_read.put(access=MEMBER, answer=ALL_READ)
def mark_all_notifications_read(request: Request) -> dict[str, int]:
    return service.read_all()


@read.put(access=MEMBER, answer=NOTIFICATION)
def mark_notification_read(request: Request, id: int) -> bytes | None:
    return service.read_notification(id)
