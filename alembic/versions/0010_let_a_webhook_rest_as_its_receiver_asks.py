"""Let a webhook rest as its receiver asks.

A receiver's Retry-After holds for all messages of a webhook, not only for the one that it refused.

Release: the column is null at first, and the former release does not write it.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0010"
down_revision = "0009"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.webhook_states add column rests_until timestamptz;
comment on column app.webhook_states.rests_until is
    'When the receiver takes messages again, as its last Retry-After says; nothing is sent before.';
grant update (rests_until) on app.webhook_states to pipeline_admin, pipeline_jobs;
""")
    migrations.lookups("""
create or replace function app.webhook_lease(p_limit integer, p_each integer, p_lease interval)
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
            order by d.next_attempt_at, d.id limit case when hook.failing then 1 else 5 end) first),
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
""")
