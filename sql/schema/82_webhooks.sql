-- Webhooks, their secrets and deliveries. The worker creates a delivery for each subscribed change, up to 500 open
-- ones. Only the first open delivery of a record has a next_attempt_at, to keep their order. The sender commits
-- started_at before sending; after 15 seconds without a result another may try.

set local role pipeline_owner;

create table app.webhooks (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    url text not null check (length(url) between 1 and 2048),
    events text[] not null check (cardinality(events) > 0),
    description text check (length(description) <= 255),
    active boolean not null default true,
    paused_at timestamptz,
    paused_reason text
        check (paused_reason in ('receiver_gone', 'no_success', 'key_revoked', 'key_expired', 'scope_missing')),
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    saved_by bigint,
    saved_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users on delete set null (created_by),
    foreign key (organization_id, created_by_key) references app.api_keys,
    foreign key (organization_id, saved_by) references app.organization_users on delete set null (saved_by),
    foreign key (organization_id, saved_by_key) references app.api_keys
);
comment on table app.webhooks is 'Endpoints that receive changes.';
comment on column app.webhooks.url is 'URL of the receiver; messages are POST requests.';
comment on column app.webhooks.events is 'The events to send, such as lead.created.';
comment on column app.webhooks.description is 'Description of the webhook.';
comment on column app.webhooks.active is 'Whether messages are created and sent.';
comment on column app.webhooks.paused_at is
    'When the service paused the webhook; null after it was activated again.';
comment on column app.webhooks.paused_reason is
    'Why the service paused it: receiver_gone (410), no_success (for five days), or its API key was revoked '
    '(key_revoked), expired (key_expired) or lost a scope (scope_missing); null if it is not paused.';
comment on column app.webhooks.saved_by is
    'User who saved it last and so owns it; null for a key, or after the user''s seat was removed.';
comment on column app.webhooks.saved_by_key is
    'API key that saved it last and so owns it: messages need its scopes; null for a user.';
comment on column app.webhooks.deleted_at is 'When it was deleted. The row and its deliveries are removed later.';

call app.isolate('app.webhooks', 'pipeline_admin', 'pipeline_jobs');

create index webhooks_active on app.webhooks (organization_id, id) where active and deleted_at is null;

call app.record_changes('app.webhooks', 'webhooks',
    '{url, events, description, active, paused_at, paused_reason, saved_by, saved_by_key, deleted_at}',
    p_ended => 'deleted_at');

grant
    select, insert (organization_id, url, events, description, active, created_by, saved_by),
    update (url, events, description, active, paused_at, paused_reason, saved_by, saved_by_key, deleted_at)
    on app.webhooks to pipeline_admin;
grant select, update (active, paused_at, paused_reason), delete on app.webhooks to pipeline_jobs;
grant select (organization_id, id, active, paused_at, saved_by_key, deleted_at) on app.webhooks to pipeline_lookup;

-- Separate, because the worker's frequent writes would block an administrator's change.
create table app.webhook_states (
    organization_id bigint not null references app.organizations (id),
    webhook_id bigint not null,
    after_transaction bigint not null default app.changes_settled(),
    after_id bigint not null default 0,
    since pg_snapshot not null default app.changes_snapshot(),
    since_offset bigint not null
        default app.feed_offset(nullif(current_setting('app.organization_id', true), '')::bigint),
    failing_since timestamptz,
    rests_until timestamptz,
    primary key (organization_id, webhook_id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade
);
comment on table app.webhook_states is 'The position of each webhook in the record of change, and its failures.';
comment on column app.webhook_states.after_transaction is
    'The transaction of the last processed change; the next transaction by default.';
comment on column app.webhook_states.after_id is 'The last processed change of that transaction.';
comment on column app.webhook_states.since is
    'The snapshot at which the webhook became active; earlier changes are not sent.';
comment on column app.webhook_states.since_offset is
    'What the organization''s record of change added to transaction numbers then (app.feed_offset).';
comment on column app.webhook_states.failing_since is
    'The first failure since the last success; null if there is none.';
comment on column app.webhook_states.rests_until is
    'When the receiver takes messages again, as its last Retry-After says; nothing is sent before.';

call app.isolate('app.webhook_states', 'pipeline_admin', 'pipeline_jobs');

grant
    select, insert (organization_id, webhook_id),
    update (after_transaction, after_id, since, since_offset, failing_since, rests_until)
    on app.webhook_states to pipeline_admin;
grant select, update (after_transaction, after_id, failing_since, rests_until) on app.webhook_states to pipeline_jobs;
grant select on app.webhook_states to pipeline_lookup;

create table app.webhook_secrets (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    webhook_id bigint not null,
    secret text not null check (secret ~ '^whsec_[0-9A-Za-z+/]{43}=$'),
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade
);
comment on table app.webhook_secrets is
    'The secrets that sign messages: the current one of each webhook, and the previous one for a day. Serving roles '
    'may insert and delete secrets but cannot read them (docs/security.md).';
comment on column app.webhook_secrets.secret is 'The secret; only the worker reads it.';
comment on column app.webhook_secrets.expires_at is
    'When a replaced secret expires; null for the current one.';

call app.isolate('app.webhook_secrets', 'pipeline_admin', 'pipeline_jobs');

create index webhook_secrets_webhook on app.webhook_secrets (organization_id, webhook_id, expires_at);

grant
    select (organization_id, id, webhook_id, expires_at), insert (organization_id, webhook_id, secret),
    update (expires_at), delete
    on app.webhook_secrets to pipeline_admin;
grant select, delete on app.webhook_secrets to pipeline_jobs;

create table app.webhook_deliveries (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    webhook_id bigint not null,
    message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
    event text not null check (length(event) between 1 and 80),
    record_type text not null,
    record_id bigint not null,
    request_id text check (length(request_id) <= 128),
    body text,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    leased_until timestamptz,
    started_at timestamptz,
    code integer,
    duration_ms integer,
    error text,
    answer text,
    completed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, webhook_id) references app.webhooks on delete cascade,
    check (status = 'pending' or next_attempt_at is null),
    check (status = 'delivered' or body is not null)
);
comment on table app.webhook_deliveries is 'Messages to webhooks, open and closed.';
comment on column app.webhook_deliveries.id is
    'Identifier, given by the database. It orders the messages about a record.';
comment on column app.webhook_deliveries.message_id is 'The header webhook-id, the same for every attempt.';
comment on column app.webhook_deliveries.record_type is 'The type of the record, such as leads.';
comment on column app.webhook_deliveries.record_id is 'The record.';
comment on column app.webhook_deliveries.request_id is 'The X-Request-Id of the request that made the change.';
comment on column app.webhook_deliveries.body is
    'The message as JSON, exactly as it is signed and sent; null after a large message is delivered.';
comment on column app.webhook_deliveries.status is 'pending, delivered or failed; failed messages are not retried.';
comment on column app.webhook_deliveries.next_attempt_at is
    'When the next attempt is due; null for closed deliveries and behind an earlier open one of the record.';
comment on column app.webhook_deliveries.leased_until is
    'The end of a sender''s reservation; the delivery is due again afterwards.';
comment on column app.webhook_deliveries.started_at is 'When the current attempt began.';
comment on column app.webhook_deliveries.code is 'The status code of the last response; null without a response.';
comment on column app.webhook_deliveries.duration_ms is 'The duration of the last attempt in milliseconds.';
comment on column app.webhook_deliveries.answer is 'The first kilobyte of the last response.';
comment on column app.webhook_deliveries.completed_at is 'When it was delivered or given up.';

call app.isolate('app.webhook_deliveries', 'pipeline_admin', 'pipeline_jobs');

create trigger touch before update on app.webhook_deliveries for each row execute function app.touch();

create function app.delivery_queued() returns trigger language plpgsql as $$
begin
    -- Until this insert commits, closing the first open delivery waits and then finds this one.
    perform from app.webhook_deliveries d
        where d.organization_id = new.organization_id and d.webhook_id = new.webhook_id
          and d.record_type = new.record_type and d.record_id = new.record_id and d.status = 'pending'
        order by d.id limit 1 for update;
    new.next_attempt_at := case when not found then now() end;
    perform pg_notify('pipeline_webhooks', '');
    return new;
end
$$;
comment on function app.delivery_queued is
    'Trigger: makes a message due now, or after the earlier open ones about its record (webhook_deliveries_open), and '
    'wakes the worker.';
create trigger queue before insert on app.webhook_deliveries for each row
    when (new.status = 'pending' and new.next_attempt_at is null) execute function app.delivery_queued();

create index webhook_deliveries_webhook on app.webhook_deliveries (organization_id, webhook_id, id);
-- The due deliveries of each webhook.
create index webhook_deliveries_due on app.webhook_deliveries (organization_id, webhook_id, next_attempt_at, id)
    where next_attempt_at is not null;
create index webhook_deliveries_open on app.webhook_deliveries (organization_id, webhook_id, record_type, record_id, id)
    where status = 'pending';
-- Old closed deliveries, for deletion.
create index webhook_deliveries_completed on app.webhook_deliveries (organization_id, completed_at)
    where completed_at is not null;

grant
    select, insert (organization_id, webhook_id, event, record_type, record_id, request_id, body, next_attempt_at),
    update (status, attempts, next_attempt_at, completed_at)
    on app.webhook_deliveries to pipeline_admin;
grant
    select, insert (organization_id, webhook_id, event, record_type, record_id, request_id, body, next_attempt_at),
    update (body, status, attempts, next_attempt_at, leased_until, started_at, code, duration_ms, error, answer,
        completed_at), delete
    on app.webhook_deliveries to pipeline_jobs;
grant
    select (organization_id, id, webhook_id, request_id, next_attempt_at, leased_until, started_at),
    update (leased_until)
    on app.webhook_deliveries to pipeline_lookup;

create view app.webhook_records with (security_invoker = true) as
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

create view app.webhook_delivery_records with (security_invoker = true) as
select
    delivery.id, delivery.organization_id, delivery.webhook_id, delivery.message_id, delivery.event,
    delivery.record_type, delivery.record_id, delivery.status, delivery.attempts,
    app.iso(delivery.next_attempt_at) as next_attempt_at, delivery.code, delivery.duration_ms, delivery.error,
    delivery.answer, app.iso(delivery.completed_at) as completed_at, app.iso(delivery.created_at) as created_at,
    app.iso(delivery.updated_at) as updated_at
from app.webhook_deliveries as delivery
join app.webhooks as webhook
    on webhook.organization_id = delivery.organization_id and webhook.id = delivery.webhook_id
where webhook.deleted_at is null;
comment on view app.webhook_delivery_records is 'Deliveries as the API returns them, without the message body.';
call app.present('app.webhook_delivery_records', 'pipeline_admin', 'app.webhook_deliveries');

-- The records in messages.
grant select on app.lead_records, app.note_records, app.task_records, app.contract_records, app.deal_records,
    app.company_records, app.contact_records, app.quote_records, app.interview_invite_records,
    app.signature_request_records to pipeline_jobs;

set local role pipeline_lookup;

create function app.webhook_lease(p_limit integer, p_each integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text)
    language sql volatile security definer
    -- As in app.outbox_lease, for webhook_deliveries_due.
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_material = off set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    with recursive waiting as (
        (select d.organization_id, d.webhook_id from app.webhook_deliveries d where d.next_attempt_at is not null
         order by d.organization_id, d.webhook_id limit 1)
        union all
        select next.organization_id, next.webhook_id
        from waiting w
        cross join lateral (
            select d.organization_id, d.webhook_id from app.webhook_deliveries d
            where d.next_attempt_at is not null
                and (d.organization_id, d.webhook_id) > (w.organization_id, w.webhook_id)
            order by d.organization_id, d.webhook_id limit 1) next),
    -- A delivery in flight still counts as one of the first due ones.
    places as materialized (
        select w.organization_id, first.*
        from waiting w
        cross join lateral (
            select s.failing_since is not null as failing from app.webhooks h
            join app.webhook_states s on s.organization_id = h.organization_id and s.webhook_id = h.id
            where h.organization_id = w.organization_id and h.id = w.webhook_id
                and h.active and h.deleted_at is null and (s.rests_until is null or s.rests_until <= now())) hook
        cross join lateral (
            select d.id, coalesce(d.leased_until > now(), false)
                or coalesce(d.started_at > now() - interval '15 seconds', false) as in_hand,
                row_number() over (order by d.next_attempt_at, d.id) as place
            from app.webhook_deliveries d
            where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.next_attempt_at <= now()
            order by d.next_attempt_at, d.id limit case when hook.failing then 1 else 5 end) first
        where app.is_here(w.organization_id)),
    turns as (
        select p.*, row_number() over (partition by p.organization_id order by p.in_hand desc, p.place, p.id) as turn
        from places p),
    due as materialized (
        select t.organization_id, t.id from turns t
        where t.turn <= p_each and not t.in_hand order by t.turn, random() limit p_limit)
    update app.webhook_deliveries d set leased_until = now() + p_lease
    from due where d.organization_id = due.organization_id and d.id = due.id
        and (d.leased_until is null or d.leased_until <= now()) and d.next_attempt_at <= now()
    returning d.organization_id, d.id, d.request_id
$$;
comment on function app.webhook_lease is
    'Reserves due deliveries in turns among organizations. Limits on reserved and running deliveries: p_each for an '
    'organization, 5 for a webhook, 1 for a failing webhook.';

create function app.webhook_backlog() returns table (waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select count(d.id), cast(coalesce(extract(epoch from now() - min(d.next_attempt_at)), 0) as double precision)
    from app.webhook_deliveries d
    join app.webhooks h on h.organization_id = d.organization_id and h.id = d.webhook_id
    where d.next_attempt_at <= now() and h.active and h.deleted_at is null and app.is_here(h.organization_id)
$$;
comment on function app.webhook_backlog is 'The number of due deliveries, and the age of the oldest in seconds.';

create function app.webhooks_counted() returns table (state text, webhooks bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select s.state, count(h.state) from (values ('failing'), ('paused'), ('working')) s (state)
    left join (
        select case when h.paused_at is not null then 'paused' when f.failing_since is null then 'working'
            else 'failing' end as state
        from app.webhooks h
        join app.webhook_states f on f.organization_id = h.organization_id and f.webhook_id = h.id
        where h.deleted_at is null and (h.active or h.paused_at is not null)
            and app.is_here(h.organization_id)) h on h.state = s.state
    group by s.state order by s.state
$$;
comment on function app.webhooks_counted is
    'The number of working, failing and paused webhooks of all organizations, without those that a user deactivated.';

grant execute on function app.webhook_lease to pipeline_jobs;
grant execute on function app.webhook_backlog, app.webhooks_counted to pipeline_app;

create function app.webhooks_behind() returns table (organization_id bigint, webhook_id bigint)
    language sql stable security definer
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    select h.organization_id, h.id from app.webhooks h
    join app.webhook_states s on s.organization_id = h.organization_id and s.webhook_id = h.id
    where h.active and h.deleted_at is null and app.is_here(h.organization_id) and (
        exists (
            select from app.changes c
            where c.organization_id = h.organization_id
                and (c.transaction_id, c.id) > (s.after_transaction, s.after_id)
                and c.transaction_id < app.changes_settled(h.organization_id))
        -- No change tells of an expiry.
        or exists (
            select from app.api_keys k
            where k.organization_id = h.organization_id and k.id = h.saved_by_key and k.expires_at <= now()))
    order by random()
$$;
comment on function app.webhooks_behind is
    'The active webhooks with unprocessed changes or an expired API key, in random order.';
grant execute on function app.webhooks_behind to pipeline_jobs;
