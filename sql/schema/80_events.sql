-- Events for the worker (the outbox), and notifications. A trigger wakes the worker by NOTIFY; the worker also polls.
-- Unique keys make a repeated delivery harmless. The worker takes due events in turns among organizations
-- (app.outbox_lease), so a long backlog of one does not delay others.

set local role pipeline_owner;

create table app.outbox (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    event text not null check (length(event) between 1 and 80),
    key text not null check (length(key) between 1 and 255),
    payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
    request_id text check (length(request_id) <= 128),
    traceparent text check (length(traceparent) <= 55),
    queue text not null,
    created_at timestamptz not null default now(),
    begins_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    leased_until timestamptz,
    claimed_until timestamptz,
    done_at timestamptz,
    error text,
    primary key (organization_id, id),
    unique (organization_id, key)
);
comment on table app.outbox is 'Events, open and closed.';
comment on column app.outbox.key is 'Identifies the event, so that it is raised once.';
comment on column app.outbox.payload is 'The values that the handler needs.';
comment on column app.outbox.request_id is 'The X-Request-Id of the request that raised the event.';
comment on column app.outbox.traceparent is 'The trace context of the request, if tracing is on.';
comment on column app.outbox.queue is 'The queue of the worker, by the event''s name.';
comment on column app.outbox.begins_at is
    'The first due time. The worker gives up an event that fails for a day after it.';
comment on column app.outbox.due_at is 'When it is due.';
comment on column app.outbox.leased_until is 'The end of a worker''s reservation; the event is due again afterwards.';
comment on column app.outbox.claimed_until is
    'While its handler waits for somebody outside, the end of a worker''s claim; the worker renews it.';
comment on column app.outbox.done_at is 'When it was handled or given up.';

call app.isolate('app.outbox', 'pipeline_jobs');

create function app.outbox_queue() returns trigger language plpgsql as $$
begin
    new.queue := case
        when new.event like '%\_documents' then 'documents'
        when new.event like '%\_conversions' then 'conversions'
        else 'mail' end;
    perform pg_notify('pipeline_' || new.queue, '');
    return new;
end
$$;
comment on function app.outbox_queue is
    'Trigger: sets the queue, and wakes its worker when the transaction commits. A generated column could take no '
    'further queue without a rewrite of the table.';
create trigger queue before insert on app.outbox for each row execute function app.outbox_queue();

-- The first due events of each organization.
create index outbox_turns on app.outbox (queue, organization_id, due_at, id) where done_at is null;
-- Backlogs come and go within seconds, so statistics mislead the planner.
alter table app.outbox alter column organization_id set statistics 0;

-- Serving roles may only insert events.
create policy raise on app.outbox for insert to pipeline_member, pipeline_public with check (true);
grant insert (organization_id, event, key, payload, begins_at, due_at, request_id, traceparent)
    on app.outbox to pipeline_member, pipeline_public, pipeline_jobs;
grant select, update (attempts, due_at, leased_until, claimed_until, done_at, error), delete on app.outbox
    to pipeline_jobs;
grant select (organization_id, id, due_at, leased_until, done_at, request_id, traceparent, queue),
    insert (organization_id, event, key, payload), update (leased_until) on app.outbox to pipeline_lookup;

create function app.outbox_lock(p_id bigint) returns bigint
    language sql immutable parallel safe
    return hashtextextended('outbox', p_id);
comment on function app.outbox_lock is
    'The key of the advisory lock held while an event is handled. A row lock would assign a transaction id, and a slow '
    'mail server would then delay the change feed (pg_snapshot_xmin).';
grant execute on function app.outbox_lock to pipeline_jobs, pipeline_lookup;

set local role pipeline_lookup;

create function app.outbox_lease(p_queue text, p_limit integer, p_each integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text, traceparent text)
    language sql volatile security definer
    -- Statistics miss a sudden backlog. These settings force a scan of outbox_turns by organization.
    set enable_seqscan = off set enable_bitmapscan = off set enable_incremental_sort = off
    set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
    set plan_cache_mode = force_custom_plan
    set search_path = app, pg_temp as $$
    with recursive waiting as (
        (select o.organization_id from app.outbox o
         where o.queue = p_queue and o.done_at is null order by o.organization_id, o.due_at, o.id limit 1)
        union all
        select (select o.organization_id from app.outbox o
                where o.queue = p_queue and o.done_at is null and o.organization_id > w.organization_id
                order by o.organization_id, o.due_at, o.id limit 1)
        from waiting w where w.organization_id is not null),
    turns as materialized (
        select w.organization_id, first.id, first.turn
        from waiting w
        cross join lateral (
            select o.id, row_number() over (order by o.due_at, o.id) as turn from app.outbox o
            where o.queue = p_queue and o.organization_id = w.organization_id
                and o.done_at is null and o.due_at <= now()
            order by o.due_at, o.id limit p_each) first
        where app.is_here(w.organization_id)),
    due as materialized (
        select free.organization_id, free.id from (
            select o.organization_id, o.id from turns t
            join app.outbox o on o.organization_id = t.organization_id and o.id = t.id
            where o.done_at is null and (o.leased_until is null or o.leased_until <= now())
            -- Random, so that no organization is always last.
            order by t.turn, random() offset 0) free
        -- Skips events that are being handled or reserved.
        where pg_try_advisory_xact_lock(app.outbox_lock(free.id)) limit p_limit)
    update app.outbox o set leased_until = now() + p_lease
    from due where o.organization_id = due.organization_id and o.id = due.id
        -- Another worker may have committed meanwhile.
        and o.done_at is null and (o.leased_until is null or o.leased_until <= now())
    returning o.organization_id, o.id, o.request_id, o.traceparent
$$;
comment on function app.outbox_lease is
    'Reserves due events of a queue in turns among organizations, at most p_each for each.';

create function app.outbox_backlog() returns table (queue text, waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select q.queue, count(o.id), cast(coalesce(extract(epoch from now() - min(o.due_at)), 0) as double precision)
    from (values ('conversions'), ('documents'), ('mail')) q (queue)
    left join app.outbox o on o.queue = q.queue and o.done_at is null and o.due_at <= now()
        and app.is_here(o.organization_id)
    group by q.queue order by q.queue
$$;
comment on function app.outbox_backlog is
    'The number of due events of each queue, and the age of the oldest in seconds.';

grant execute on function app.outbox_lease to pipeline_jobs;
grant execute on function app.outbox_backlog to pipeline_app;

set local role pipeline_owner;

create table app.notifications (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    user_id bigint not null,
    event text not null check (length(event) between 1 and 80),
    effect_key text not null,
    title text not null,
    body text not null default '',
    data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
    read_at timestamptz,
    digest_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, user_id, effect_key),
    foreign key (organization_id, user_id) references app.organization_users
);
comment on table app.notifications is 'Notifications of users in the application.';
comment on column app.notifications.event is 'The event, for instance lead_captured.';
comment on column app.notifications.effect_key is
    'The key of the event, so that a repeated delivery creates no second notification.';
comment on column app.notifications.title is 'Title, one line.';
comment on column app.notifications.body is 'More text.';
comment on column app.notifications.data is 'Ids of related records.';
comment on column app.notifications.read_at is 'When the user read it.';
comment on column app.notifications.digest_at is
    'The end of the hour of its digest email; null if it has its own email.';

call app.isolate('app.notifications', 'pipeline_jobs');

-- A user's notifications, all and unread.
create index notifications_user on app.notifications (organization_id, user_id, id);
create index notifications_unread on app.notifications (organization_id, user_id, id) where read_at is null;
-- The notifications of a digest.
create index notifications_digest on app.notifications (organization_id, user_id, digest_at)
    where digest_at is not null;

create policy own on app.notifications to pipeline_member
    using (user_id = nullif(current_setting('app.user_id', true), '')::bigint);
grant select, update (read_at) on app.notifications to pipeline_member;
grant select, insert (organization_id, user_id, event, effect_key, title, body, data), update (digest_at)
    on app.notifications to pipeline_jobs;

create table app.notification_emails (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null,
    interviews boolean not null,
    leads boolean not null,
    signatures boolean not null,
    webhooks boolean not null,
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
);
comment on table app.notification_emails is
    'The kinds of notifications that a user gets by email too; all without a row.';
comment on column app.notification_emails.interviews is
    'Submitted interviews, requests for a link, undelivered invites.';
comment on column app.notification_emails.leads is 'Captured leads, also as a digest.';
comment on column app.notification_emails.signatures is 'Signature requests that end, or whose emails or seal fail.';
comment on column app.notification_emails.webhooks is 'Paused webhooks.';

call app.isolate('app.notification_emails', 'pipeline_jobs');

create policy own on app.notification_emails to pipeline_member
    using (user_id = nullif(current_setting('app.user_id', true), '')::bigint);
grant select, insert (organization_id, user_id, interviews, leads, signatures, webhooks),
    update (interviews, leads, signatures, webhooks) on app.notification_emails to pipeline_member;
grant select on app.notification_emails to pipeline_jobs;

create view app.notification_records with (security_invoker = true) as
select
    notification.id, notification.organization_id, notification.event, notification.title, notification.body,
    notification.data, app.iso(notification.read_at) as read_at, app.iso(notification.created_at) as created_at,
    app.iso(coalesce(notification.read_at, notification.created_at)) as updated_at
from app.notifications as notification;
comment on view app.notification_records is 'Notifications as the API returns them, limited to the caller''s own.';
call app.present('app.notification_records', 'pipeline_member', 'app.notifications');
comment on column app.notification_records.updated_at is 'When it was read, else when it was created.';
