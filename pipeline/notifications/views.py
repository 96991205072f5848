"""The notification endpoints."""

from pipeline.http.resource import Resource
from pipeline.notifications import schemas, service
from pipeline.security import MEMBER

notifications = Resource("/notifications", "Notifications")
notification = Resource("/notifications/{id}", "A notification")


@notifications.get(access=MEMBER, query=schemas.NotificationList())
def list_notifications(request, query):
    return service.list_notifications(query)


@notification.get(access=MEMBER)
def get_notification(request, id):
    return service.get_notification(id)
