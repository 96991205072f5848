"""Wake the worker of an event's queue alone.

Release: a worker of the former release hears of no event, and looks for events each half second.

Rollback: nothing to do, as above.
"""

from pipeline.database import migrations

revision = "0060"
down_revision = "0059"

QUEUES = r"""
create or replace function app.outbox_queue() returns trigger language plpgsql as $$
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
drop trigger if exists wake on app.outbox;
drop function if exists app.outbox_wake();

create or replace function app.delivery_queued() returns trigger language plpgsql as $$
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
"""
FORGOT = r"""
create or replace function app.password_forgot(p_email text, p_expires_at timestamptz) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_seat record;
    v_link bigint;
    v_known boolean;
begin
    -- Requests for one address run one after the other.
    perform pg_advisory_xact_lock(hashtextextended('password_forgot ' || app.email_key(p_email), 0));
    select m.organization_id, m.user_id into v_seat
        from app.users u join app.organization_users m on m.user_id = u.id and m.seat_active
        where u.email_key = app.email_key(p_email) and app.is_here(m.organization_id)
        order by m.chosen_at desc nulls last, m.organization_id limit 1;
    -- At most three links an hour, against flooding a mailbox.
    v_known := v_seat.user_id is not null and (
        select count(*) from app.account_links l where l.user_id = v_seat.user_id and l.kind = 'reset'
        and l.created_at > now() - interval '1 hour') < 3;
    if not v_known then
        select m.organization_id, m.user_id into v_seat from app.organization_users m limit 1;
    end if;
    if v_seat.user_id is null then
        return;
    end if;
    begin
        insert into app.account_links (organization_id, kind, user_id, expires_at)
            values (v_seat.organization_id, 'reset', v_seat.user_id, p_expires_at) returning id into v_link;
        -- After the insertion, so that all lock the seat before the links.
        perform app.reset_links_end(v_seat.user_id, v_link);
        insert into app.outbox (organization_id, event, key, payload)
            values (v_seat.organization_id, 'account_link', 'account_link:' || v_link,
                    jsonb_build_object('link_id', v_link));
        if not v_known then
            raise exception 'taken back' using errcode = 'PI009';
        end if;
    exception when sqlstate 'PI009' then
        -- The same writes as for a known address, so that the response time reveals nothing.
        perform pg_notify('pipeline_mail', '');
    end;
end
$$;
"""


def upgrade():
    """Apply the revision."""
    migrations.owned(QUEUES)
    migrations.lookups(FORGOT)
