--:name webhook_delivery_list :one
--:doc A page of a webhook's deliveries, newest first, and how many there are; webhook_deliveries_webhook.
with filtered as not materialized (
    select delivery.id
    from webhook_deliveries as delivery
    where
        delivery.webhook_id = cast(:webhook_id as bigint)
        and delivery.status = cast(:status as text) --? status
),

page as (
    select delivery.id
    from filtered as delivery
    order by delivery.id desc
    limit cast(:limit as bigint) offset cast(:offset as bigint)
)

select
    (select count(*) from filtered) as total,
    (
        select cast(json_agg(record order by record.id desc) as text)
        from page
        join webhook_delivery_records as record on record.id = page.id
    ) as data
from webhook_records as webhook
where webhook.id = cast(:webhook_id as bigint);

--:name webhook_delivery_get :one
--:doc One delivery of a webhook; primary key.
select delivery.*
from webhook_delivery_records as delivery
where delivery.webhook_id = cast(:webhook_id as bigint) and delivery.id = cast(:id as bigint);

--:name webhook_delivery_insert :scalar
--:doc A message to a webhook, due at once or behind those about its record, as its trigger finds; answers its id.
insert into webhook_deliveries (webhook_id, event, record_type, record_id, request_id, body)
values (
    cast(:webhook_id as bigint),
    :event,
    :record_type,
    cast(:record_id as bigint),
    cast(:request_id as text),
    :body
)
returning id;

--:name webhook_delivery_advance :affected
--:doc Let the first open message about the record of a delivery that was closed be sent; webhook_deliveries_open.
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

--:name webhook_delivery_reopen :affected
--:doc Have a delivery tried at once, from its first attempt on unless it is still tried or waits behind others; primary key.
update webhook_deliveries
set
    attempts = case when status = 'pending' then attempts else 0 end,
    status = 'pending',
    next_attempt_at = case when status <> 'pending' or next_attempt_at is not null then now() end,
    completed_at = null
where webhook_id = cast(:webhook_id as bigint) and id = cast(:id as bigint);

--:name webhook_delivery_kept :one
--:doc Whether the message of a delivery is kept; primary key.
select delivery.body is not null as kept
from webhook_deliveries as delivery
where delivery.webhook_id = cast(:webhook_id as bigint) and delivery.id = cast(:id as bigint);

--:name webhook_delivery_claim :one
--:doc Begin to send a delivery that is due; nothing when it is done, not due or being sent; primary keys.
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
--:doc The secrets that sign a webhook's messages, newest first; index webhook_secrets_webhook.
select secret.secret
from webhook_secrets as secret
where secret.webhook_id = cast(:webhook_id as bigint) and (secret.expires_at is null or secret.expires_at > now())
order by secret.id desc;

--:name webhook_delivery_noted :affected
--:doc Note what became of an attempt: an error or none, and when the next one is, if any; keep no message of more than 64 kilobytes that was taken, and no answer to one whose person was erased meanwhile; primary key.
update webhook_deliveries
set
    status = case
        when cast(:error as text) is null then 'delivered'
        when cast(:seconds as double precision) is null then 'failed'
        else status
    end,
    body = case when cast(:error as text) is not null or octet_length(body) <= 65536 then body end,
    attempts = attempts + 1,
    next_attempt_at = clock_timestamp() + make_interval(secs => cast(:seconds as double precision)),
    started_at = null,
    code = cast(:code as integer),
    duration_ms = cast(:duration_ms as integer),
    error = cast(:error as text),
    answer = case when started_at = cast(:started_at as timestamptz) then cast(:answer as text) end,
    completed_at = case when cast(:seconds as double precision) is null then clock_timestamp() end
where id = cast(:id as bigint) and status = 'pending';

--:name webhook_succeeds :affected
--:doc Note that a webhook works; primary key.
update webhook_states set failing_since = null
where webhook_id = cast(:webhook_id as bigint) and failing_since is not null;

--:name webhook_fails :scalar
--:doc Note that a webhook fails; answers whether it has for so many days; primary key.
update webhook_states set failing_since = coalesce(failing_since, clock_timestamp())
where webhook_id = cast(:webhook_id as bigint)
returning now() - failing_since >= make_interval(days => cast(:days as integer));

--:name webhook_pause :affected
--:doc Send nothing to a webhook any longer; primary key.
update webhooks set active = false, paused_at = now()
where id = cast(:id as bigint) and active and deleted_at is null;

--:name webhook_paused :one
--:doc A webhook that the administrators are told about; primary key.
select webhook.id, webhook.url
from webhooks as webhook
where webhook.id = cast(:id as bigint) and webhook.paused_at is not null and webhook.deleted_at is null;

--:name webhook_lease :many
--:doc Due deliveries in turns among organizations and webhooks; index webhook_deliveries_due.
select leased.organization_id, leased.id, leased.request_id
from app.webhook_lease(
    cast(:limit as integer), cast(:each as integer), make_interval(secs => cast(:seconds as double precision))
) as leased;

--:name webhooks_behind :many
--:doc The webhooks of all organizations for which something has changed; webhooks_active and the changes' primary key.
select behind.organization_id, behind.webhook_id from app.webhooks_behind() as behind;

--:name webhook_follow :one
--:doc Where an active webhook stands in the record of change, locked, and how many of its deliveries are open.
select
    state.after_transaction,
    state.after_id,
    state.since,
    webhook.events,
    -- Null for what a person made.
    case
        when webhook.created_by_key is not null
            then (
                select coalesce(max(array_to_string(key.scopes, ' ')), '')
                from api_keys as key
                where
                    key.id = webhook.created_by_key
                    and key.revoked_at is null
                    and (key.expires_at is null or key.expires_at > now())
            )
    end as scopes,
    -- The records are read one by one, by their keys: planning each time would be most of the work.
    set_config('plan_cache_mode', 'auto', true) as plans,
    opened.pending,
    opened.bytes
from webhook_states as state
join webhooks as webhook on webhook.organization_id = state.organization_id and webhook.id = state.webhook_id
cross join
    lateral (
        select
            count(*) as pending,
            coalesce(sum(pg_column_size(delivery.body)), 0) as bytes
        from webhook_deliveries as delivery
        where delivery.webhook_id = state.webhook_id and delivery.status = 'pending'
    ) as opened
where state.webhook_id = cast(:webhook_id as bigint) and webhook.active and webhook.deleted_at is null
for update of state skip locked;

--:name webhook_changes :many
--:doc What has changed after a place, in the order in which changes are followed; primary key.
select
    change.transaction_id,
    change.id,
    change.type,
    change.record_id,
    change.action,
    iso(change.at) as at,
    change.actor_kind,
    change.request_id,
    change.changed,
    pg_visible_in_snapshot(cast(cast(change.transaction_id as text) as xid8), cast(:since as pg_snapshot)) as earlier
from changes as change
where
    (change.transaction_id, change.id) > (cast(:after_transaction as bigint), cast(:after_id as bigint))
    and change.transaction_id < cast(cast(pg_snapshot_xmin(changes_snapshot()) as text) as bigint)
order by change.organization_id, change.transaction_id, change.id
limit cast(:limit as bigint);

--:name webhook_followed :affected
--:doc Remember how far a webhook has followed; primary key.
update webhook_states
set after_transaction = cast(:after_transaction as bigint), after_id = cast(:after_id as bigint)
where webhook_id = cast(:webhook_id as bigint);

--:name webhook_deliveries_purge :affected
--:doc Remove deliveries completed a month ago, those beyond a webhook's newest 10,000, and what belonged to deleted ones.
with gone as (
    delete from webhooks where deleted_at < now() - interval '1 hour'
    returning id
),

expired as (
    delete from webhook_secrets where expires_at < now()
),

surplus as (
    select webhook.organization_id, webhook.id as webhook_id, last_kept.id as delivery_id
    from webhooks as webhook
    cross join lateral (
        select delivery.id
        from webhook_deliveries as delivery
        where delivery.organization_id = webhook.organization_id and delivery.webhook_id = webhook.id
        order by delivery.id desc
        limit 1 offset 10000
    ) as last_kept
),

-- Looked for once for each webhook, not once for each delivery.
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
