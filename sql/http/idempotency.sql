--:name idempotency_lock :one
--:doc The scope of the transaction's keys, and whether the lock was free.
select
    owner.scope,
    pg_try_advisory_xact_lock(
        hashtextextended(
            concat_ws(' ', current_setting('app.organization_id'), owner.scope, cast(:key as text)), 0
        )
    ) as locked
from (
    select
        case
            when current_setting('app.invite_id', true) <> '' then 'invite:' || current_setting('app.invite_id')
            when current_setting('app.template_id', true) <> '' then 'capture:' || current_setting('app.template_id')
            when current_setting('app.key_id', true) <> '' then 'key:' || current_setting('app.key_id', true)
            else 'user:' || current_setting('app.user_id')
        end as scope
) as owner;

--:name idempotency_find :one
--:doc A key's stored response, and whether it is expired; primary key.
select kept.request_hash, kept.status, kept.headers, kept.body, kept.expires_at <= now() as expired
from idempotency_keys as kept
where kept.scope = cast(:scope as text) and kept.key = cast(:key as text);

--:name idempotency_forget :affected
--:doc Delete an expired key; primary key.
delete from idempotency_keys as kept
where kept.scope = cast(:scope as text) and kept.key = cast(:key as text);

--:name idempotency_keep :affected
--:doc Store a response for 24 hours, if the request has written.
insert into idempotency_keys (scope, key, request_hash, status, headers, body)
select :scope, :key, :request_hash, cast(:status as integer), cast(:headers as jsonb), cast(:body as bytea)
where pg_current_xact_id_if_assigned() is not null
-- The snapshot may precede the lock; then an unseen row causes a retry.
on conflict (organization_id, scope, key) do nothing;
