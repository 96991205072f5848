"""The query of the notification list."""

from pipeline.http.pagination import Paged
from pipeline.validation import QueryBoolean, optional


class NotificationList(Paged):
    """`unread=true`: only unread ones; `unread=false`: only read ones."""

    unread = optional(QueryBoolean())
