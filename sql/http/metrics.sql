--:name outbox_backlog :many
--:doc Each queue's due events in all organizations, and their greatest age in seconds; outbox_turns.
select backlog.queue, backlog.waiting, backlog.oldest_seconds from outbox_backlog() as backlog
union all
select 'webhooks', backlog.waiting, backlog.oldest_seconds from webhook_backlog() as backlog;

--:name file_storage_total :one
--:doc The bytes of all files, and of the largest organization's; sequential.
select total.bytes, total.largest from app.storage_total() as total;

--:name webhooks_counted :many
--:doc The numbers of working, failing and paused webhooks in all organizations; sequential.
select counted.state, counted.webhooks from webhooks_counted() as counted;
