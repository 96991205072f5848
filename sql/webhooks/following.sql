--:name webhooks_behind :many
--:doc All organizations' webhooks with changes after their position; webhooks_active and the primary key of changes.
select behind.organization_id, behind.webhook_id from app.webhooks_behind() as behind;

--:name webhook_follow :one
--:doc Lock a webhook's position in the changes; returns it with the pending deliveries' number and size; webhook_deliveries_open.
select
    state.after_transaction,
    state.after_id,
    state.since,
    webhook.events,
    -- The API key's scopes; null without a key, empty for an invalid one.
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
    pg_visible_in_snapshot(cast(cast(change.transaction_id as text) as xid8), cast(:since as pg_snapshot)) as earlier
from changes as change
where
    (change.transaction_id, change.id) > (cast(:after_transaction as bigint), cast(:after_id as bigint))
    and change.transaction_id < cast(cast(pg_snapshot_xmin(changes_snapshot()) as text) as bigint)
order by change.organization_id, change.transaction_id, change.id
limit cast(:limit as bigint);

--:name webhook_followed :affected
--:doc Store a webhook's position; primary key.
update webhook_states
set after_transaction = cast(:after_transaction as bigint), after_id = cast(:after_id as bigint)
where webhook_id = cast(:webhook_id as bigint);
