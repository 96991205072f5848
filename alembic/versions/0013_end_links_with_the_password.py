"""End links for a new password with the password and the seat.

A link stayed good after a change of the password and after a deactivation. A new link ends the earlier ones, too.

Release: the release before calls the same functions.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0013"
down_revision = "0012"


def upgrade():
    """Apply the revision."""
    migrations.lookups(r"""
create function app.reset_links_end(p_user_id bigint, p_except bigint default null) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.account_links l set used_at = now()
    where l.user_id = p_user_id and l.kind = 'reset' and l.used_at is null and l.id is distinct from p_except
$$;
comment on function app.reset_links_end is
    'Ends a user''s links for a new password, except p_except. Only the functions here call it.';

create or replace function app.seat_gone() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_other bigint;
begin
    perform app.reset_links_end(old.user_id);
    select m.organization_id into v_other from app.organization_users m
        where m.user_id = old.user_id and m.seat_active and m.organization_id <> old.organization_id
        order by m.chosen_at desc nulls last, m.organization_id limit 1;
    if v_other is null then
        perform app.sessions_end(old.user_id, null);
    else
        update app.sessions s set organization_id = v_other
            where s.user_id = old.user_id and s.organization_id = old.organization_id and s.ended_at is null;
        update app.refresh_tokens t set organization_id = v_other
            from app.sessions s
            where s.id = t.session_id and s.user_id = old.user_id and s.ended_at is null
              and t.organization_id = old.organization_id;
    end if;
    return null;
end
$$;
comment on function app.seat_gone is
    'Trigger: switches the sessions of a removed seat to another organization of the user, or ends them. Ends '
    'links for a new password.';

create or replace function app.password_set(p_user_id bigint, p_password_hash text, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set password_hash = p_password_hash, confirmed_at = coalesce(u.confirmed_at, now())
    where u.id = p_user_id;
    select app.reset_links_end(p_user_id);
    select app.sessions_end(p_user_id, p_except)
$$;
comment on function app.password_set is
    'Sets a password, and ends the links for a new one and all sessions except p_except. Only the functions here '
    'and the command line call it.';

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
        where u.email_key = app.email_key(p_email) order by m.chosen_at desc nulls last, m.organization_id limit 1;
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
        perform pg_notify('pipeline_outbox', '');
    end;
end
$$;
comment on function app.password_forgot is
    'Creates a link for a new password and the event that sends it, if a user with an active seat has the address. '
    'Earlier links end.';

create or replace function app.password_reset(p_token_hash text, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link record;
begin
    select l.organization_id, l.id, l.user_id into v_link from app.account_links l where l.token_hash = p_token_hash;
    perform from app.users u where u.id = v_link.user_id for no key update;
    perform from app.account_links l
        where l.organization_id = v_link.organization_id and l.id = v_link.id
          and l.kind = 'reset' and l.used_at is null and l.expires_at > now();
    if not found then
        return false;
    end if;
    perform app.password_set(v_link.user_id, p_password_hash, null);
    return true;
end
$$;
""")
