"""Let a webhook belong to who saved it last.

A webhook of a revoked key paused again after each activation, because it stayed the key's. saved_by and saved_by_key
name the owner, at first the creator; paused_reason says why the service paused it.

Release: the release before this one goes on serving, since the columns are null or have a default. A webhook that it
saves keeps its owner.

Rollback: nothing; the former release reads the creator again.
"""

from pipeline.database import migrations

revision = "0007"
down_revision = "0006"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.webhooks
    add column paused_reason text
        check (paused_reason in ('receiver_gone', 'no_success', 'key_revoked', 'key_expired', 'scope_missing')),
    add column saved_by bigint,
    add column saved_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    add foreign key (organization_id, saved_by) references app.organization_users on delete set null (saved_by),
    add foreign key (organization_id, saved_by_key) references app.api_keys;
comment on column app.webhooks.paused_reason is
    'Why the service paused it: receiver_gone (410), no_success (for five days), or its API key was revoked '
    '(key_revoked), expired (key_expired) or lost a scope (scope_missing); null if it is not paused.';
comment on column app.webhooks.saved_by is
    'User who saved it last and so owns it; null for a key, or after the user''s seat was removed.';
comment on column app.webhooks.saved_by_key is
    'API key that saved it last and so owns it: messages need its scopes; null for a user.';
grant insert (saved_by), update (paused_reason, saved_by, saved_by_key) on app.webhooks to pipeline_admin;
grant update (paused_reason) on app.webhooks to pipeline_jobs;
grant select (saved_by_key) on app.webhooks to pipeline_lookup;
-- At most twenty rows for each organization; neither their time nor the record of change tells of it.
alter table app.webhooks no force row level security;
alter table app.webhooks disable trigger user;
update app.webhooks set saved_by = created_by, saved_by_key = created_by_key;
alter table app.webhooks enable trigger user;
alter table app.webhooks force row level security;
call app.record_changes('app.webhooks', 'webhooks',
    '{url, events, description, active, paused_at, paused_reason, saved_by, saved_by_key, deleted_at}',
    p_ended => 'deleted_at');
create or replace view app.webhook_records with (security_invoker = true) as
select
    webhook.id, webhook.organization_id, webhook.url, webhook.events, webhook.description, webhook.active,
    app.iso(webhook.paused_at) as paused_at, app.iso(state.failing_since) as failing_since, webhook.created_by,
    app.created_by_kind(webhook.created_by, webhook.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = webhook.created_by),
        (select key.name from app.api_keys as key where key.id = webhook.created_by_key)
    ) as created_by_name,
    app.iso(webhook.created_at) as created_at, app.iso(webhook.updated_at) as updated_at, webhook.paused_reason,
    webhook.saved_by, app.created_by_kind(webhook.saved_by, webhook.saved_by_key) as saved_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = webhook.saved_by),
        (select key.name from app.api_keys as key where key.id = webhook.saved_by_key)
    ) as saved_by_name
from app.webhooks as webhook
join app.webhook_states as state
    on state.organization_id = webhook.organization_id and state.webhook_id = webhook.id
where webhook.deleted_at is null;
comment on view app.webhook_records is 'Webhooks that are not deleted, as the API returns them.';
call app.present('app.webhook_records', 'pipeline_admin', 'app.webhooks', 'app.webhook_states');
comment on column app.webhook_records.created_by_kind is
    'Kind of the creator: user, key, or system after the administrator''s seat was removed.';
comment on column app.webhook_records.saved_by_kind is
    'Kind of the owner, who saved it last: user, key, or system after the administrator''s seat was removed.';
comment on column app.webhook_records.saved_by_name is 'Name of the owner.';
""")
    migrations.lookups("""
create or replace function app.webhooks_behind() returns table (organization_id bigint, webhook_id bigint)
    language sql stable security definer
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    select h.organization_id, h.id from app.webhooks h
    join app.webhook_states s on s.organization_id = h.organization_id and s.webhook_id = h.id
    where h.active and h.deleted_at is null and (
        exists (
            select from app.changes c
            where c.organization_id = h.organization_id
                and (c.transaction_id, c.id) > (s.after_transaction, s.after_id)
                and c.transaction_id
                    < cast(cast(pg_snapshot_xmin(app.changes_snapshot(h.organization_id)) as text) as bigint))
        -- No change tells of an expiry.
        or exists (
            select from app.api_keys k
            where k.organization_id = h.organization_id and k.id = h.saved_by_key and k.expires_at <= now()))
    order by random()
$$;
""")
    migrations.owned("revoke select (created_by_key) on app.webhooks from pipeline_lookup")
