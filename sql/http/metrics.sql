--:name outbox_backlog :many
--:doc How many events of each queue are due and not delivered, over all organizations, and for how many seconds the oldest; outbox_turns.
select backlog.queue, backlog.waiting, backlog.oldest_seconds from outbox_backlog() as backlog
union all
select 'webhooks', backlog.waiting, backlog.oldest_seconds from webhook_backlog() as backlog;

--:name file_storage_total :one
--:doc How many bytes all files of all organizations have, and those of the organization that has most; sequential.
select total.bytes, total.largest from app.storage_total() as total;

--:name webhooks_counted :many
--:doc How many webhooks of all organizations work, fail and are paused; sequential.
select counted.state, counted.webhooks from webhooks_counted() as counted;
