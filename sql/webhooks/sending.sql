--:name webhook_lease :many
--:doc Due deliveries, in turns among organizations and webhooks; webhook_deliveries_due.
select leased.organization_id, leased.id, leased.request_id
from app.webhook_lease(
    cast(:limit as integer), cast(:each as integer), make_interval(secs => cast(:seconds as double precision))
) as leased;

--:name webhook_delivery_claim :one
--:doc Start a delivery's attempt; no row if closed, not due, or started within 15 seconds; primary keys.
update webhook_deliveries as delivery
set started_at = clock_timestamp(), leased_until = null
from webhooks as webhook
where
    delivery.id = cast(:id as bigint)
    and delivery.status = 'pending'
    and delivery.next_attempt_at <= now()
    and (delivery.started_at is null or delivery.started_at <= now() - interval '15 seconds')
    and webhook.organization_id = delivery.organization_id
    and webhook.id = delivery.webhook_id
    and webhook.active
    and webhook.deleted_at is null
returning
    delivery.id,
    delivery.webhook_id,
    delivery.message_id,
    delivery.event,
    delivery.body,
    delivery.attempts,
    delivery.started_at,
    webhook.url;

--:name webhook_secrets_signing :many
--:doc A webhook's signing secrets, newest first; webhook_secrets_webhook.
select secret.secret
from webhook_secrets as secret
where secret.webhook_id = cast(:webhook_id as bigint) and (secret.expires_at is null or secret.expires_at > now())
order by secret.id desc;

--:name webhook_delivery_noted :affected
--:doc Store an attempt's error and the seconds until the next, if any; primary key.
update webhook_deliveries
set
    status = case
        when cast(:error as text) is null then 'delivered'
        when cast(:seconds as double precision) is null then 'failed'
        else status
    end,
    -- Delivered bodies above 64 KiB are not kept.
    body = case when cast(:error as text) is not null or octet_length(body) <= 65536 then body end,
    attempts = attempts + 1,
    next_attempt_at = clock_timestamp() + make_interval(secs => cast(:seconds as double precision)),
    started_at = null,
    code = cast(:code as integer),
    duration_ms = cast(:duration_ms as integer),
    error = cast(:error as text),
    -- An erasure has reset started_at: the response may hold erased words.
    answer = case when started_at = cast(:started_at as timestamptz) then cast(:answer as text) end,
    completed_at = case when cast(:seconds as double precision) is null then clock_timestamp() end
where id = cast(:id as bigint) and status = 'pending';

--:name webhook_delivery_advance :affected
--:doc Make the record's next pending message due after this delivery; webhook_deliveries_open.
update webhook_deliveries
set next_attempt_at = clock_timestamp()
where
    next_attempt_at is null
    and id = (
        select delivery.id
        from webhook_deliveries as closed
        join webhook_deliveries as delivery
            on
                delivery.organization_id = closed.organization_id
                and delivery.webhook_id = closed.webhook_id
                and delivery.record_type = closed.record_type
                and delivery.record_id = closed.record_id
        where closed.id = cast(:id as bigint) and delivery.status = 'pending'
        order by delivery.id
        limit 1
    );

--:name webhook_succeeds :affected
--:doc Mark a webhook as working; primary key.
update webhook_states set failing_since = null
where webhook_id = cast(:webhook_id as bigint) and failing_since is not null;

--:name webhook_rests :affected
--:doc Let a webhook rest for some seconds, as its receiver asks; primary key.
update webhook_states
set rests_until = clock_timestamp() + make_interval(secs => cast(:seconds as double precision))
where webhook_id = cast(:webhook_id as bigint);

--:name webhook_fails :scalar
--:doc Mark a webhook as failing; returns whether it has failed for this many days; primary key.
update webhook_states set failing_since = coalesce(failing_since, clock_timestamp())
where webhook_id = cast(:webhook_id as bigint)
returning now() - failing_since >= make_interval(days => cast(:days as integer));

--:name webhook_pause :affected
--:doc Pause a webhook, unless its URL has changed meanwhile; primary key.
update webhooks set active = false, paused_at = now(), paused_reason = :reason
where
    id = cast(:id as bigint)
    and active
    and deleted_at is null
    and url = cast(:url as text) --? url
;

--:name webhook_paused :one
--:doc A paused webhook, for the administrators' email; primary key.
select webhook.id, webhook.url, webhook.description, webhook.paused_reason
from webhooks as webhook
where webhook.id = cast(:id as bigint) and webhook.paused_reason is not null and webhook.deleted_at is null;

--:name webhook_deliveries_purge :affected
--:doc Delete deleted webhooks, expired secrets, month-old completed deliveries, and those beyond a webhook's newest 10,000.
with gone as (
    delete from webhooks where deleted_at < now() - interval '1 hour'
),

expired as (
    delete from webhook_secrets where expires_at < now()
),

surplus as (
    select webhook.organization_id, webhook.id as webhook_id, beyond.id as delivery_id
    from webhooks as webhook
    cross join lateral (
        select delivery.id
        from webhook_deliveries as delivery
        where delivery.organization_id = webhook.organization_id and delivery.webhook_id = webhook.id
        order by delivery.id desc
        limit 1 offset 10000
    ) as beyond
),

-- Computed once, not once for each delivery.
superfluous as materialized (
    select delivery.organization_id, delivery.id
    from webhook_deliveries as delivery
    where delivery.completed_at < now() - interval '30 days'
    union
    select delivery.organization_id, delivery.id
    from surplus
    join webhook_deliveries as delivery
        on
            surplus.organization_id = delivery.organization_id
            and surplus.webhook_id = delivery.webhook_id
            and surplus.delivery_id >= delivery.id
    where delivery.completed_at is not null
)

delete from webhook_deliveries as delivery
using superfluous
where delivery.organization_id = superfluous.organization_id and delivery.id = superfluous.id;
