"""The query of the notification list."""

from pipeline.pages import Paged
from pipeline.schema import QueryBoolean, optional


class NotificationList(Paged):
    """`unread=true`: only unread ones; `unread=false`: only read ones."""

    unread = optional(QueryBoolean())
