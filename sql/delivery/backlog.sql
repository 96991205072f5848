--:name outbox_backlog :many
--:doc How many events of each queue are due and not delivered, over all organizations, and for how many seconds the oldest; outbox_turns.
select backlog.queue, backlog.waiting, backlog.oldest_seconds from outbox_backlog() as backlog;
