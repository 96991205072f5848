"""The endpoints that mark notifications as read."""

from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.notifications import service, shapes

all_read = Resource("/notifications/read-all", "Mark all notifications as read")
read = Resource("/notifications/{id}/read", "Mark a notification as read")


@all_read.put(access=MEMBER, answer=shapes.ALL_READ)
def mark_all_notifications_read(request):
    return service.read_all()


@read.put(access=MEMBER, answer=shapes.NOTIFICATION)
def mark_notification_read(request, id):
    return service.read_notification(id)
