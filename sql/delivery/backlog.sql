--:name outbox_backlog :one
--:doc How many events are due and not delivered, over all organizations, and for how many seconds the oldest; outbox_due.
select backlog.waiting, backlog.oldest_seconds from outbox_backlog() as backlog;
