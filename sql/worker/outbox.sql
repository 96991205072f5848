--:name outbox_insert :affected
--:doc Insert an event, due now or later; its key is unique, or with `once` nothing happens if it exists.
insert into outbox (
    begins_at, due_at, --? due_at
    event, key, payload, request_id, traceparent
)
values (
    cast(:due_at as timestamptz), cast(:due_at as timestamptz), --? due_at
    :event, :key, cast(:payload as jsonb), cast(:request_id as text), cast(:traceparent as text)
)
on conflict do nothing --? once
;

--:name outbox_lease :many
--:doc Reserve a queue's due events, in turns among organizations; outbox_turns.
select leased.organization_id, leased.id, leased.request_id, leased.traceparent
from app.outbox_lease(
    cast(:queue as text),
    cast(:limit as integer),
    cast(:each as integer),
    make_interval(secs => cast(:seconds as double precision))
) as leased;

--:name outbox_hold :scalar
--:doc Lock an event by an advisory lock, because a transaction id would delay the change feed.
select pg_try_advisory_xact_lock(outbox_lock(cast(:id as bigint))) as held;

--:name outbox_take :one
--:doc An event still due and not claimed after its lock; primary key.
select
    outbox.id,
    outbox.event,
    outbox.key,
    outbox.payload,
    outbox.attempts,
    outbox.begins_at,
    outbox.request_id,
    outbox.traceparent,
    clock_timestamp() - outbox.begins_at as age
from outbox
where
    outbox.id = cast(:id as bigint)
    and outbox.done_at is null
    and outbox.due_at <= now()
    and (outbox.claimed_until is null or outbox.claimed_until <= now());

--:name outbox_claim :affected
--:doc Reserve an open event for a worker that waits for somebody outside, or renew that; primary key.
update outbox
set
    claimed_until = clock_timestamp() + make_interval(secs => cast(:seconds as double precision)),
    leased_until = clock_timestamp() + make_interval(secs => cast(:seconds as double precision))
where id = cast(:id as bigint) and done_at is null;

--:name outbox_done :affected
--:doc Close an event as handled or given up; primary key.
update outbox
set done_at = now(), leased_until = null, claimed_until = null, error = cast(:error as text), attempts = attempts + 1
where id = cast(:id as bigint);

--:name outbox_postpone :affected
--:doc Store an event's error and its next try; primary key.
update outbox
set
    attempts = attempts + 1,
    error = cast(:error as text),
    leased_until = null,
    claimed_until = null,
    due_at = clock_timestamp() + make_interval(secs => cast(:seconds as double precision))
where id = cast(:id as bigint);
