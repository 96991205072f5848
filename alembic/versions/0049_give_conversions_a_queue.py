"""Give conversions a queue.

Release: the former release raises no event for it.

Rollback: the PDFs of waiting events are made on request.
"""

from pipeline.database import migrations

revision = "0049"
down_revision = "0048"


def upgrade():
    """Apply the revision."""
    migrations.owned(r"""
alter table app.outbox alter column queue drop expression;
comment on column app.outbox.queue is 'The queue of the worker, by the event''s name.';

create function app.outbox_queue() returns trigger language plpgsql as $$
begin
    new.queue := case
        when new.event like '%\_documents' then 'documents'
        when new.event like '%\_conversions' then 'conversions'
        else 'mail' end;
    return new;
end
$$;
comment on function app.outbox_queue is
    'Trigger: sets the queue. A generated column could take no further queue without a rewrite of the table.';
create trigger queue before insert on app.outbox for each row execute function app.outbox_queue();
""")
    migrations.lookups("""
create or replace function app.outbox_backlog()
    returns table (queue text, waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select q.queue, count(o.id), cast(coalesce(extract(epoch from now() - min(o.due_at)), 0) as double precision)
    from (values ('conversions'), ('documents'), ('mail')) q (queue)
    left join app.outbox o on o.queue = q.queue and o.done_at is null and o.due_at <= now()
        and app.is_here(o.organization_id)
    group by q.queue order by q.queue
$$;
comment on function app.outbox_backlog is
    'The number of due events of each queue, and the age of the oldest in seconds.';
""")
