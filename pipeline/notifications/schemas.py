"""The query of the notification list."""

from pipeline.http.pagination import Paged
from pipeline.validation import QueryBoolean, optional


class NotificationList(Paged):
    """`unread=true` leaves out what is read, `unread=false` what is not."""

    unread = optional(QueryBoolean())
