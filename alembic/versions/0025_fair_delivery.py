"""Events have queues, organizations take turns in each, and what one of them sends to people is counted.

An event's name says its queue. app.outbox_lease looks at the first due events of every organization that has any: what
of these is handed over or worked on counts too, so that an organization never has more than its share in hand, however
long its backlog is. The index leads there without reading a backlog.

mail_days counts the invite emails of a day; mail_hours knows how many notifications of captured leads a person has got
as single emails in the hour that runs for them. notifications.digest_at is when the hour ends in whose digest a
notification is told; those without it had an email of their own.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0025"
down_revision = "0024"

QUEUES = """
drop function app.outbox_backlog();
drop function app.outbox_lease(integer, interval);
"""

TURNS = """
alter table app.outbox add column queue text not null
    generated always as (case when event like '%\\_documents' then 'documents' else 'mail' end) stored;
comment on column app.outbox.queue is 'Which queue of the worker the event goes through: its name says so.';
grant select (queue) on app.outbox to pipeline_lookup;

drop index app.outbox_due;
create index outbox_turns on app.outbox (queue, organization_id, due_at, id) where done_at is null;
-- What an organization has here changes from nothing to a backlog within seconds: what was analyzed is always wrong,
-- and would lead past the primary key.
alter table app.outbox alter column organization_id set statistics 0;
"""

LOOKUPS = """
create function app.outbox_lease(p_queue text, p_limit integer, p_each integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text)
    language sql volatile security definer
    -- What was there when the table was last analyzed says nothing of a backlog: the way is always through
    -- outbox_turns, organization by organization, and from there to the rows by their keys.
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
            order by o.due_at, o.id limit p_each) first),
    due as materialized (
        select o.organization_id, o.id from turns t
        join app.outbox o on o.organization_id = t.organization_id and o.id = t.id
        where o.done_at is null and (o.leased_until is null or o.leased_until <= now())
        -- By chance among equals: where there are more organizations than places, none is always the last.
        -- Locked is what another relay leases or a worker delivers at this moment.
        order by t.turn, random() limit p_limit for update of o skip locked)
    update app.outbox o set leased_until = now() + p_lease
    from due where o.organization_id = due.organization_id and o.id = due.id
    returning o.organization_id, o.id, o.request_id
$$;
comment on function app.outbox_lease is
    'Take due events of a queue for handing them over, in turns; p_each of an organization are in hand at most.';
grant execute on function app.outbox_lease to pipeline_jobs;

create function app.outbox_backlog() returns table (queue text, waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select q.queue, count(o.id), coalesce(extract(epoch from now() - min(o.due_at)), 0)
    from (values ('documents'), ('mail')) q (queue)
    left join app.outbox o on o.queue = q.queue and o.done_at is null and o.due_at <= now()
    group by q.queue order by q.queue
$$;
comment on function app.outbox_backlog is
    'Events of each queue that are due and not delivered, and for how long the oldest is due.';
grant execute on function app.outbox_backlog to pipeline_app;
"""

DAYS = """
    day date not null,
    used integer not null default 1 check (used > 0)
"""

HOURS = """
    user_id bigint not null,
    ends_at timestamptz not null,
    used integer not null default 1 check (used > 0),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
"""

COUNTS = """
create policy member on app.mail_days to pipeline_member using (true) with check (true);
create policy jobs on app.mail_days to pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, day, used), update (used) on app.mail_days to pipeline_member;
grant select, delete on app.mail_days to pipeline_jobs;

create policy jobs on app.mail_hours to pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, user_id, ends_at, used), update (ends_at, used)
    on app.mail_hours to pipeline_jobs;

alter table app.notifications add column digest_at timestamptz;
comment on column app.notifications.digest_at is
    'The end of the hour in whose digest the notification is told; null when it had an email of its own.';
grant update (digest_at) on app.notifications to pipeline_jobs;
create index notifications_digest on app.notifications (organization_id, user_id, digest_at)
    where digest_at is not null;
"""


def upgrade():
    """Apply the revision."""
    # The functions of the previous revision belong to the role that looks past one organization.
    lookups(QUEUES)
    owned(TURNS)
    lookups(LOOKUPS)
    tenant_table("mail_days", DAYS, key="day")
    tenant_table("mail_hours", HOURS, key="user_id")
    owned(COUNTS)
