--:name webhook_list :one
--:doc A page of webhooks with the total.
with filtered as not materialized (
    select webhook.*
    from webhook_records as webhook
    where
        webhook.organization_id is not null
        and webhook.active = cast(:active as boolean) --? active
        and found(concat_ws(' ', webhook.url, webhook.description), cast(:search as text[])) --? search
        and webhook.id > cast(:after_id as bigint) --? after_id
        and webhook.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select webhook.*
    from filtered as webhook
    order by
        webhook.organization_id
        , webhook.id asc --? after_id
        , webhook.created_at asc, webhook.id asc --/ sort_by=created_at
        , sort_key(webhook.url) collate "C" asc, webhook.id asc --/ sort_by=url
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name webhook_get :one
--:doc One webhook unless deleted; primary keys.
select webhook.*
from webhook_records as webhook
where webhook.id = cast(:id as bigint);

--:name webhook_count :scalar
--:doc The organization's number of webhooks.
select count(*) from webhook_records;

--:name webhook_insert :scalar
--:doc Insert a webhook; returns its id.
insert into webhooks (
    created_by,
    saved_by,
    url, events, description, active
)
values (
    cast(:saved_by as bigint),
    cast(:saved_by as bigint),
    :url, :events, :description, :active
)
returning id;

--:name webhook_update :affected
--:doc Replace a webhook's fields and owner (`saved_by`, or the key); activation ends a pause; primary key.
update webhooks
set
    paused_at = case when not :active then paused_at end,
    paused_reason = case when not :active then paused_reason end,
    saved_by = cast(:saved_by as bigint),
    saved_by_key = default,
    url = :url,
    events = :events,
    description = :description,
    active = :active
where id = cast(:id as bigint) and deleted_at is null;

--:name webhook_delete :affected
--:doc Mark a webhook as deleted; its deliveries are deleted later; primary key.
update webhooks set deleted_at = now(), active = false where id = cast(:id as bigint) and deleted_at is null;

--:name webhook_state_begin :affected
--:doc Start a new or reactivated webhook at the newest change; primary key.
insert into webhook_states (webhook_id) values (cast(:webhook_id as bigint))
on conflict (organization_id, webhook_id) do update
    set
        after_transaction = excluded.after_transaction,
        after_id = excluded.after_id,
        since = excluded.since,
        since_offset = excluded.since_offset,
        failing_since = null,
        rests_until = null;

--:name webhook_lock :scalar
--:doc Lock a webhook unless deleted, and return its id; primary key.
select webhook.id
from webhooks as webhook
where webhook.id = cast(:id as bigint) and webhook.deleted_at is null
for no key update;

--:name webhook_secret_insert :affected
--:doc Insert a webhook's new secret.
insert into webhook_secrets (webhook_id, secret) values (cast(:webhook_id as bigint), :secret);

--:name webhook_secret_retire :affected
--:doc Keep the current secret for some hours, and delete earlier ones; webhook_secrets_webhook.
with forgotten as (
    delete from webhook_secrets
    where webhook_id = cast(:webhook_id as bigint) and expires_at is not null
)

update webhook_secrets set expires_at = now() + make_interval(hours => cast(:hours as integer))
where webhook_id = cast(:webhook_id as bigint) and expires_at is null;
