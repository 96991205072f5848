"""The worker leases due events over all organizations, and an event knows the request that raised it."""

from pipeline.database.migrations import lookups, owned

revision = "0010"
down_revision = "0009"

REQUEST = """
alter table app.outbox add column request_id text check (length(request_id) <= 128);
comment on column app.outbox.request_id is 'The X-Request-Id of the request that raised the event.';
grant insert (request_id) on app.outbox to pipeline_member, pipeline_public, pipeline_jobs;

grant select (request_id), update (leased_until) on app.outbox to pipeline_lookup;
"""

LEASE = """
drop function app.outbox_due(integer);

create function app.outbox_lease(p_limit integer, p_lease interval)
    returns table (organization_id bigint, id bigint, request_id text)
    language sql volatile security definer set search_path = app, pg_temp as $$
    with due as (
        select o.organization_id, o.id from app.outbox o
        where o.done_at is null and o.due_at <= now() and (o.leased_until is null or o.leased_until <= now())
        -- Locked is what another relay leases or a worker delivers at this moment.
        order by o.due_at limit p_limit for update skip locked)
    update app.outbox o set leased_until = now() + p_lease
    from due where o.organization_id = due.organization_id and o.id = due.id
    returning o.organization_id, o.id, o.request_id
$$;
comment on function app.outbox_lease is
    'Take due events for handing them to the queue; they are due again when the lease runs out before they are done.';
grant execute on function app.outbox_lease to pipeline_jobs;
"""


def upgrade():
    """Apply the revision."""
    owned(REQUEST)
    # The function of the previous revision belongs to the role that looks past one organization.
    lookups(LEASE)
