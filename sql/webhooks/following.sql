--:name webhooks_behind :many
--:doc All organizations' webhooks with changes after their position; webhooks_active and the primary key of changes.
select behind.organization_id, behind.webhook_id from app.webhooks_behind() as behind;

--:name webhook_follow :one
--:doc Lock a webhook's position in the changes; returns it with the pending deliveries' number and size; webhook_deliveries_open.
select
    state.after_transaction,
    state.after_id,
    state.since,
    state.since_offset,
    webhook.events,
    key.scopes, -- null for a person's webhook
    key.revoked_at is not null as revoked,
    coalesce(key.expires_at <= now(), false) as expired,
    opened.pending,
    opened.bytes
from webhook_states as state
join webhooks as webhook on webhook.organization_id = state.organization_id and webhook.id = state.webhook_id
left join api_keys as key on key.organization_id = webhook.organization_id and key.id = webhook.saved_by_key
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
--:doc The changes after a position, in the order of the feed; primary key.
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
    changed_names(change.changed) as changed_names,
    pg_visible_in_snapshot(
        cast(cast(change.transaction_id - cast(:since_offset as bigint) as text) as xid8), cast(:since as pg_snapshot)
    ) as earlier
from changes as change
where
    (change.transaction_id, change.id) > (cast(:after_transaction as bigint), cast(:after_id as bigint))
    and change.transaction_id < changes_settled()
order by change.organization_id, change.transaction_id, change.id
limit cast(:limit as bigint);

--:name webhook_followed :affected
--:doc Store a webhook's position; primary key.
update webhook_states
set after_transaction = cast(:after_transaction as bigint), after_id = cast(:after_id as bigint)
where webhook_id = cast(:webhook_id as bigint);
