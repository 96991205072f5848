"""Outbox, notifications, emails, idempotency keys.

An event is a row of the outbox, written in the transaction of what it tells. A trigger wakes the worker with
NOTIFY;
what was missed then is found by time. The unique keys make a repeated delivery harmless.

The worker finds due rows over all organizations through app.outbox_due and then works inside one
organization, under
the same row-level security as everybody.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0009"
down_revision = "0008"

OUTBOX = """
    event text not null check (length(event) between 1 and 80),
    key text not null check (length(key) between 1 and 255),
    payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
    created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    leased_until timestamptz,
    done_at timestamptz,
    error text,
    unique (organization_id, key)
"""

NOTIFICATIONS = """
    user_id bigint not null,
    event text not null check (length(event) between 1 and 80),
    effect_key text not null,
    title text not null,
    body text not null default '',
    data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
    read_at timestamptz,
    created_at timestamptz not null default now(),
    unique (organization_id, user_id, effect_key),
    foreign key (organization_id, user_id) references app.organization_users
"""

EMAILS = """
    direction text not null default 'outbound' check (direction in ('outbound', 'inbound')),
    status text not null default 'queued' check (status in ('queued', 'sending', 'sent', 'skipped',
        'failed')),
    effect_key text,
    message_id text,
    from_email text not null, to_email text not null,
    subject text not null,
    body_text text, body_html text,
    error text,
    lead_id bigint, contact_id bigint, company_id bigint, deal_id bigint, invite_id bigint,
    to_email_key text collate "C" not null generated always as (lower(to_email)) stored,
    sent_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, effect_key),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, invite_id) references app.interview_invites
"""

KEYS = """
    scope text not null check (length(scope) between 1 and 120),
    key text not null check (length(key) between 1 and 255),
    request_hash text not null,
    status integer,
    headers jsonb,
    body bytea,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours'
"""

GRANTS = """
create index outbox_due on app.outbox (due_at) where done_at is null;
create index notifications_user on app.notifications (organization_id, user_id, id);
create index emails_lead on app.emails (organization_id, lead_id, id);
create index emails_to on app.emails (organization_id, to_email_key);
create index emails_contact on app.emails (organization_id, contact_id) where contact_id is not null;
create index emails_company on app.emails (organization_id, company_id) where company_id is not null;
create index emails_deal on app.emails (organization_id, deal_id) where deal_id is not null;
create index emails_invite on app.emails (organization_id, invite_id) where invite_id is not null;
create index idempotency_keys_expiry on app.idempotency_keys (organization_id, expires_at);

create function app.outbox_wake() returns trigger language plpgsql as $$
begin
    perform pg_notify('pipeline_outbox', '');
    return null;
end
$$;
create trigger wake after insert on app.outbox for each statement execute function app.outbox_wake();

-- Who serves requests may add an event, not read what others wrote.
create policy raise on app.outbox for insert to pipeline_member, pipeline_public with check (true);
create policy jobs on app.outbox to pipeline_jobs using (true) with check (true);
grant insert (organization_id, event, key, payload, due_at)
    on app.outbox to pipeline_member, pipeline_public, pipeline_jobs;
grant select, update (attempts, due_at, leased_until, done_at, error), delete
    on app.outbox to pipeline_jobs;
grant select (organization_id, id, due_at, leased_until, done_at) on app.outbox to pipeline_lookup;

create policy own on app.notifications to pipeline_member
    using (user_id = nullif(current_setting('app.user_id', true), '')::bigint)
    with check (user_id = nullif(current_setting('app.user_id', true), '')::bigint);
create policy jobs on app.notifications to pipeline_jobs using (true) with check (true);
grant select, update (read_at) on app.notifications to pipeline_member;
grant select, insert (organization_id, user_id, event, effect_key, title, body, data)
    on app.notifications to pipeline_jobs;

create policy member on app.emails to pipeline_member, pipeline_jobs using (true) with check (true);
grant select, update (contact_id, company_id, deal_id) on app.emails to pipeline_member;
grant select,
    insert (organization_id, direction, status, effect_key, message_id, from_email, to_email, subject,
        body_text, body_html, lead_id, contact_id, company_id, deal_id, invite_id, sent_at),
    update (status, message_id, error, sent_at) on app.emails to pipeline_jobs;

-- An answer is replayed to whom it was given: the user, the invite, or the capture form.
create policy own on app.idempotency_keys to pipeline_member
    using (scope = 'user:' || current_setting('app.user_id', true))
    with check (scope = 'user:' || current_setting('app.user_id', true));
create policy public_form on app.idempotency_keys to pipeline_public
    using (scope in ('invite:' || nullif(current_setting('app.invite_id', true), ''),
                     'capture:' || nullif(current_setting('app.template_id', true), '')))
    with check (scope in ('invite:' || nullif(current_setting('app.invite_id', true), ''),
                          'capture:' || nullif(current_setting('app.template_id', true), '')));
create policy jobs on app.idempotency_keys to pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, scope, key, request_hash, status, headers, body),
    update (request_hash, status, headers, body), delete
    on app.idempotency_keys to pipeline_member, pipeline_public;
grant select (organization_id, expires_at), delete on app.idempotency_keys to pipeline_jobs;
"""

LOOKUPS = """
create function app.outbox_due(p_limit integer) returns table (organization_id bigint, id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select o.organization_id, o.id from app.outbox o
    where o.done_at is null and o.due_at <= now() and (o.leased_until is null or o.leased_until <= now())
    order by o.due_at limit p_limit
$$;
grant execute on function app.outbox_due to pipeline_jobs;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("outbox", OUTBOX)
    tenant_table("notifications", NOTIFICATIONS)
    tenant_table("emails", EMAILS)
    tenant_table("idempotency_keys", KEYS, key="scope, key")
    owned(GRANTS)
    lookups(LOOKUPS)
