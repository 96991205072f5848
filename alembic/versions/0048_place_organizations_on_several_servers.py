"""Place organizations on several servers.

Release: the release before serves one server, and reads none of this.

Rollback: with one server nothing to do. With several, move all organizations home first.
"""

from pipeline.database import migrations

revision = "0048"
down_revision = "0047"


def upgrade():
    """Apply the revision."""
    migrations.installer("create schema cells authorization pipeline_owner;")
    migrations.owned("""
comment on schema cells is 'The map of organizations to PostgreSQL servers.';
grant usage on schema cells to pipeline_lookup;

create table cells.this_cell (
    is_only boolean primary key default true check (is_only),
    name text not null default 'home' check (name ~ '^[a-z][a-z0-9_]{0,30}$' or name = '')
);
comment on table cells.this_cell is 'One row: which cell this database is.';
comment on column cells.this_cell.name is 'Its name; home by default, empty while the shared tables are copied anew.';
insert into cells.this_cell default values;
grant select on cells.this_cell to pipeline_lookup;

create table cells.members (
    name text primary key check (name ~ '^[a-z][a-z0-9_]{0,30}$'),
    number integer not null unique check (number between 0 and 8000),
    beat_at timestamptz not null default now()
);
comment on table cells.members is 'All cells. Written in home.';
comment on column cells.members.number is 'Ids that the cell gives begin at this number times 2^40; home has 0.';
comment on column cells.members.beat_at is
    'Of home: the time of each second, which shows how far behind the copies of the shared tables are.';
insert into cells.members (name, number) values ('home', 0);
grant select, update (beat_at) on cells.members to pipeline_lookup;

create table cells.placements (
    organization_id bigint primary key,
    cell text not null,
    state text not null default 'here' check (state in ('here', 'fenced')),
    feed_offset bigint not null default 0 check (feed_offset >= 0),
    placed_at timestamptz not null default clock_timestamp()
);
comment on table cells.placements is 'The map. An organization without a row is in home. Written in home.';
comment on column cells.placements.cell is 'The cell of the organization.';
comment on column cells.placements.state is 'fenced for the moment in which a move switches: requests wait.';
comment on column cells.placements.feed_offset is
    'Added to the transaction numbers of this cell, so that the record of change goes on after a move.';
comment on column cells.placements.placed_at is 'When the row was last written.';
create index placements_placed on cells.placements (placed_at);
grant select on cells.placements to pipeline_lookup;

create table cells.moves (
    organization_id bigint primary key,
    source text not null,
    target text not null,
    step text not null default 'copying' check (step in ('copying', 'switched', 'compared', 'different')),
    started_at timestamptz not null default now()
);
comment on table cells.moves is 'Moves under way. Only in home; not copied.';
comment on column cells.moves.step is
    'What is done: nothing but copying, the switch, or the comparison after it, which found equal rows or different '
    'ones.';

create table cells.claims (
    kind text not null,
    name text not null,
    organization_id bigint not null,
    claimed_at timestamptz not null default now(),
    primary key (kind, name)
);
comment on table cells.claims is
    'Slugs that are about to be saved, so that two cells do not save one at the same time. Only in home; each holds '
    'for a minute.';
grant select, insert, update, delete on cells.claims to pipeline_lookup;
""")
    migrations.lookups("""
create function app.is_here(p_organization_id bigint) returns boolean
    language sql stable as $$
    select coalesce(
        (select p.state = 'here' and p.cell = this_cell.name
         from cells.placements p where p.organization_id = p_organization_id),
        this_cell.name = 'home')
    from cells.this_cell
$$;
comment on function app.is_here is 'Whether this cell serves an organization now.';

create function app.check_here(p_organization_id bigint) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
begin
    if app.is_here(p_organization_id) then
        return p_organization_id;
    end if;
    raise exception 'this cell does not serve the organization' using
        errcode = 'PI010', detail = p_organization_id;
end
$$;
comment on function app.check_here is 'The id of an organization that this cell serves; else raises PI010.';

create function app.feed_offset(p_organization_id bigint) returns bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select coalesce(
        (select p.feed_offset from cells.placements p where p.organization_id = p_organization_id), 0)
$$;
comment on function app.feed_offset is 'What an organization''s record of change adds to transaction numbers.';

create function app.placements(p_since timestamptz default '-infinity')
    returns table (organization_id bigint, cell text, state text, placed_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select p.organization_id, p.cell, p.state, p.placed_at from cells.placements p where p.placed_at >= p_since
$$;
comment on function app.placements is 'The map, or what changed in it since a time.';

create function app.cell_beat(p_write boolean) returns timestamptz
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if p_write then
        update cells.members set beat_at = clock_timestamp() where name = 'home';
    end if;
    return (select m.beat_at from cells.members m where m.name = 'home');
end
$$;
comment on function app.cell_beat is 'The last second of home that arrived here; home writes it.';

create function app.name_claim(p_kind text, p_name text, p_organization_id bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    delete from cells.claims c where c.claimed_at < now() - interval '1 minute';
    insert into cells.claims as c (kind, name, organization_id) values (p_kind, p_name, p_organization_id)
    on conflict (kind, name) do update set claimed_at = now() where c.organization_id = excluded.organization_id;
    return found;
end
$$;
comment on function app.name_claim is
    'Claims a slug for an organization for a minute; false if another one did. Runs in home.';

grant execute on function app.check_here, app.placements to pipeline_app, pipeline_forms, pipeline_jobs;
grant execute on function app.feed_offset to pipeline_member, pipeline_jobs;
grant execute on function app.cell_beat to pipeline_app, pipeline_forms, pipeline_jobs;
grant execute on function app.name_claim to pipeline_app;
""")
    migrations.owned("""
create or replace function app.change_transaction(p_organization_id bigint) returns bigint
    language sql volatile
    return cast(cast(pg_current_xact_id() as text) as bigint) + app.feed_offset(p_organization_id);
comment on function app.change_transaction is
    'The number of this transaction in an organization''s record of change.';
create or replace function app.changes_settled(
    p_organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint
) returns bigint
    language sql stable
    return cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) + app.feed_offset(p_organization_id);
comment on function app.changes_settled is
    'All transactions below this number have ended in an organization''s record of change.';
comment on function app.changes_snapshot is
    'The committed transactions of an organization''s record of change, by the numbers of this server.';
grant execute on function app.changes_settled to pipeline_member, pipeline_admin, pipeline_jobs, pipeline_lookup;
""")
    migrations.lookups("""
drop function app.memberships(bigint);
create function app.memberships(p_user_id bigint)
    returns table (id bigint, name text, slug text, role text,
                   time_zone text, currency text, locale text, chosen_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select o.id, o.name, o.slug, m.role, o.time_zone, o.currency, o.locale, m.chosen_at
    from app.organization_users m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user_id and m.seat_active and app.is_here(o.id) order by o.id
$$;
comment on function app.memberships is 'The organizations of this cell in which a user has an active seat, by id.';
drop function app.account_link(text);
create function app.account_link(p_token_hash text)
    returns table (kind text, state text, user_id bigint, organization_id bigint, organization_name text,
                   branding jsonb, logo text, locale text, email text, name text, invited_by text, password_hash text,
                   invitation_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.kind,
        case
            when i.outcome is not null then i.outcome
            when l.used_at is not null then 'used'
            when l.expires_at <= now() then 'expired'
            else 'open'
        end,
        u.id, l.organization_id, o.name, o.branding,
        (select f.sha256 from app.files f where f.organization_id = o.id and f.id = o.logo_file_id
            and f.content_type in ('image/png', 'image/jpeg')),
        o.locale, coalesce(i.email, u.email), coalesce(i.name, u.name),
        (select b.name from app.users b where b.id = i.invited_by), u.password_hash, l.invitation_id
    from app.account_links l
    join app.organizations o on o.id = l.organization_id
    left join app.invitations i on i.organization_id = l.organization_id and i.user_id = l.invitation_id
    left join app.users u
        on u.id = coalesce(l.user_id, (select k.id from app.users k where k.email_key = i.email_key))
    where l.token_hash = p_token_hash and app.check_here(l.organization_id) is not null
$$;
comment on function app.account_link is
    'The details of a link, with the account of the address if there is one. state is open, expired, used, accepted or '
    'declined. password_hash is set if the user has a password.';
create or replace function app.session_start(p_user_id bigint, p_password_hash text, p_organization_id bigint,
    p_client text,
    p_address text, p_expires_at timestamptz, p_token_hash text, p_token_expires_at timestamptz,
    p_family_hash text default null)
    returns table(session_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_seat record;
    v_organization bigint;
    v_session bigint;
begin
    -- Orders this login and a concurrent reset or deactivation.
    perform from app.users u where u.id = p_user_id and u.password_hash = p_password_hash for share;
    if not found then
        return;
    end if;
    for v_seat in
        select m.organization_id from app.organization_users m
        where m.user_id = p_user_id and m.seat_active and app.is_here(m.organization_id)
          and (p_organization_id is null or m.organization_id = p_organization_id)
        order by m.chosen_at desc nulls last, m.organization_id
    loop
        select m.organization_id into v_organization from app.organization_users m
            where m.organization_id = v_seat.organization_id and m.user_id = p_user_id and m.seat_active for share;
        exit when found;
    end loop;
    if v_organization is null and not app.is_here(p_organization_id) then
        -- Its cell has shown the seat.
        v_organization := p_organization_id;
    end if;
    if v_organization is null then
        return;
    end if;
    -- In another cell seat_choose does it; here may be a copy.
    if p_organization_id is not null and app.is_here(p_organization_id) then
        update app.organization_users m set chosen_at = now()
            where m.organization_id = v_organization and m.user_id = p_user_id;
    end if;
    insert into app.sessions (organization_id, user_id, client, address, expires_at, family_hash)
        values (v_organization, p_user_id, left(p_client, 200), left(p_address, 100), p_expires_at, p_family_hash)
        returning id into v_session;
    if p_token_hash is not null then
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_organization, v_session, p_token_hash, least(p_token_expires_at, p_expires_at));
    end if;
    return query select v_session, v_organization;
end
$$;
comment on function app.session_start is
    'Starts a session in the given organization, else in the one last chosen. No row without an active seat, or if the '
    'password has changed since the check.';

create or replace function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text,
    p_new_expires_at timestamptz,
    p_session_id bigint, p_organization_id bigint, p_family_hash text default null)
    returns table(outcome text, session_id bigint, user_id bigint, organization_id bigint)
    language plpgsql security definer
    set search_path = app, pg_temp
    as $$
declare
    v_token app.refresh_tokens;
    v_session app.sessions;
    v_seated boolean;
    v_outcome text := 'rotated';
begin
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    -- The family finds the session of a deleted token.
    select * into v_session from app.sessions s
        where s.id = v_token.session_id or v_token.id is null and s.family_hash = p_family_hash;
    if v_session.id is null or v_session.id <> p_session_id then
        return query select 'unknown', null::bigint, null::bigint, null::bigint;
        return;
    end if;
    if p_organization_id is null then
        perform from app.organization_users m
            where m.organization_id = v_token.organization_id and m.user_id = v_session.user_id and m.seat_active
            for share;
    else
        perform from app.organization_users m
            where m.organization_id = p_organization_id and m.user_id = v_session.user_id and m.seat_active
            for no key update;
    end if;
    -- Another cell shows the seat afterwards.
    v_seated := found or not app.is_here(coalesce(p_organization_id, v_token.organization_id));
    -- Orders concurrent rotations: the second sees the first.
    select * into v_session from app.sessions s where s.id = v_session.id for update;
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    if v_session.ended_at is not null or v_session.expires_at <= now() then
        v_outcome := 'unknown';
    elsif v_token.id is null or v_token.rotated_at < now() - interval '10 seconds' then
        update app.sessions s set ended_at = now() where s.id = v_session.id;
        v_outcome := 'reused';
    elsif v_token.expires_at <= now() then
        v_outcome := 'expired';
    elsif not v_seated then
        v_outcome := 'no_seat';
    else
        if p_organization_id is not null then
            update app.organization_users m set chosen_at = now()
                where m.organization_id = p_organization_id and m.user_id = v_session.user_id
                  and app.is_here(p_organization_id);
            v_session.organization_id := p_organization_id;
        else
            v_session.organization_id := v_token.organization_id;
        end if;
        delete from app.refresh_tokens t
            where t.session_id = v_session.id and t.rotated_at < now() - interval '10 seconds';
        update app.refresh_tokens t set rotated_at = now()
            where t.organization_id = v_token.organization_id and t.id = v_token.id and t.rotated_at is null;
        update app.sessions s set last_used_at = now(), organization_id = v_session.organization_id
            where s.id = v_session.id;
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_session.organization_id, v_session.id, p_new_token_hash,
                    least(p_new_expires_at, v_session.expires_at));
    end if;
    return query select v_outcome, v_session.id, v_session.user_id, v_session.organization_id;
end
$$;
comment on function app.refresh_token_rotate is
    'Replaces a refresh token by a new one, optionally in another organization. The outcome is rotated, unknown, '
    'expired, no_seat, or reused, which ends the session. A repeat within 10 seconds is accepted, for a lost response. '
    'The caller also commits after reused, to keep the session ended.';

create or replace function app.seat_gone() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_other bigint;
begin
    perform app.reset_links_end(old.user_id);
    -- With several cells sessions are home's; each request reads the seat.
    if exists (select from cells.placements) then
        return null;
    end if;
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

create or replace function app.password_change(
    p_user_id bigint, p_known_hash text, p_new_hash text, p_session_id bigint)
    returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform from app.users u
        where u.id = p_user_id and u.password_hash is not distinct from p_known_hash for no key update;
    if not found then
        return false;
    end if;
    perform app.password_set(p_user_id, p_new_hash, p_session_id);
    return true;
end
$$;
comment on function app.password_change is
    'Replaces a password and ends the user''s other sessions. False if the password has changed since the check.';

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
        perform pg_notify('pipeline_outbox', '');
    end;
end
$$;
comment on function app.password_forgot is
    'Creates a link for a new password and the event that sends it, if a user with an active seat has the address. '
    'Earlier links end.';

create or replace function app.login_failed(p_email text, p_client text, p_address text, p_request_id text) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_known bigint := (select u.id from app.users u where u.email_key = app.email_key(p_email));
begin
    -- A read-only database cannot record it.
    if cast(current_setting('transaction_read_only') as boolean) then
        return;
    end if;
    -- Makes the commit take as long for an unknown address.
    perform pg_current_xact_id();
    begin
        perform app.changes_write(array_agg(cast(row(
            s.organization_id, 'users', s.user_id, null, null, 'sign_in_failed', 'system', null, null, p_request_id,
            null, jsonb_build_object('client', left(p_client, 200), 'address', left(p_address, 100)))
            as app.change_entry)))
        from app.organization_users s
        where s.user_id = coalesce(v_known, (select m.user_id from app.organization_users m limit 1)) and s.seat_active
          and app.is_here(s.organization_id);
        if v_known is null then
            raise exception 'taken back' using errcode = 'PI009';
        end if;
    exception when sqlstate 'PI009' then
        -- As in app.password_forgot, for the response time.
        null;
    end;
end
$$;
comment on function app.login_failed is
    'Records a failed login for the audit of each organization in which the address has an active seat. The actor is '
    'system.';

create or replace function app.authenticate(p_user_id bigint, p_organization_id bigint, p_session_id bigint)
    returns table (user_id bigint, organization_id bigint, role text)
    language plpgsql stable security definer
    set search_path = app, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    -- Runs in every request. One generic plan fits all.
    perform app.check_here(p_organization_id);
    return query select m.user_id, m.organization_id, m.role
        from app.organization_users m join app.sessions s on s.id = p_session_id and s.user_id = m.user_id
        where m.organization_id = p_organization_id and m.user_id = p_user_id and m.seat_active
          and s.ended_at is null and s.expires_at > now();
end
$$;
comment on function app.authenticate is
    'The seat of a token''s user and organization. No row if the seat is inactive or the session has ended. Raises '
    'PI010 if the organization is in another cell.';

create or replace function app.account_make(p_id bigint, p_email text, p_name text, p_password_hash text) returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_account bigint;
begin
    insert into app.users (id, email, name) overriding system value values (p_id, p_email, p_name)
        on conflict (email_key) do update set name = excluded.name where users.password_hash is null
        returning id into v_account;
    if v_account is not null then
        perform app.password_set(v_account, p_password_hash, null);
    end if;
    return v_account;
end
$$;
comment on function app.account_make is
    'Creates an account whose owner has confirmed the address, and returns its id. Null if the address has a password.';

create or replace function app.invitation_activate(p_token_hash text, p_name text, p_password_hash text)
    returns table (user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
    v_account bigint;
begin
    if v_invitation.user_id is null then
        return;
    end if;
    v_account := app.account_make(v_invitation.user_id, v_invitation.email, p_name, p_password_hash);
    if v_account is not null then
        perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'accepted', v_account);
        return query select v_account, v_invitation.organization_id;
    end if;
end
$$;
comment on function app.invitation_activate is
    'Accepts an invitation as a new user: creates the account and the seat, and confirms the address. No row if the '
    'link is used or expired, or the user has a password already.';

create or replace function app.invitations_of(p_user_id bigint)
    returns table (id bigint, organization_id bigint, organization_name text, role text, invited_by text,
                   invited_at timestamptz, expires_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.user_id, o.id, o.name, i.role, (select b.name from app.users b where b.id = i.invited_by),
        i.invited_at, i.expires_at
    from app.users u
    join app.invitations i on i.email_key = u.email_key and i.ended_at is null and i.expires_at > now()
    join app.organizations o on o.id = i.organization_id
    where u.id = p_user_id and u.confirmed_at is not null and app.is_here(o.id)
    order by i.user_id
$$;
comment on function app.invitations_of is 'The open invitations to a user''s confirmed address, oldest first.';

create or replace function app.organization_ids() returns setof bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select id from app.organizations where app.is_here(id) order by id
$$;
comment on function app.organization_ids is 'The ids of the organizations that this cell serves, for the worker.';

create or replace function app.person_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform app.changes_write(array_agg(cast(row(
        s.organization_id, 'users', s.user_id, null, null, 'updated', v.actor_kind, v.actor_id, v.actor_name,
        v.request_id, jsonb_build_object('name', jsonb_build_object('old', old.name, 'new', new.name)), null)
        as app.change_entry)))
    from app.organization_users s cross join app.change_context() v
    where s.user_id = new.id and app.is_here(s.organization_id);
    return null;
end
$$;
comment on function app.person_recorded is
    'Trigger: records a user''s new name in each organization where the user has a seat.';

create or replace function app.authenticate_key(p_key_hash text)
    returns table (key_id bigint, organization_id bigint, role text, scopes text[], good boolean)
    language plpgsql stable security definer
    set search_path = app, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    -- Runs in each request of a program. One plan fits all.
    return query select k.id, k.organization_id, k.role, k.scopes,
            k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        from app.api_keys k where k.key_hash = p_key_hash and app.check_here(k.organization_id) is not null;
end
$$;
comment on function app.authenticate_key is
    'The key with a hash, and whether it is valid: neither revoked nor expired. No row for an unknown key. Raises '
    'PI010 if its organization is in another cell.';

create or replace function app.capture_by_slug(p_public_slug text)
    returns table (organization_id bigint, template_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select t.organization_id, t.id from app.interview_templates t
    where t.public_slug = p_public_slug and t.lead_capture_enabled and t.deleted_at is null
      and app.check_here(t.organization_id) is not null
$$;
comment on function app.capture_by_slug is 'The organization and template of an open lead-capture form.';

create or replace function app.invite_by_token(p_token text) returns table (organization_id bigint, invite_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.organization_id, i.id from app.interview_invites i
    where i.token = p_token and app.check_here(i.organization_id) is not null
$$;
comment on function app.invite_by_token is 'The organization and invite of a token.';

create or replace function app.signature_by_token(p_token_hash text)
    returns table (organization_id bigint, request_id bigint, signer_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.organization_id, l.request_id, l.signer_id from app.signature_links l
    where l.token_hash = p_token_hash and app.check_here(l.organization_id) is not null
$$;
comment on function app.signature_by_token is 'The organization, request and signer of a token''s SHA-256.';

create or replace function app.outbox_lease(p_queue text, p_limit integer, p_each integer, p_lease interval)
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

create or replace function app.outbox_backlog()
    returns table (queue text, waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select q.queue, count(o.id), cast(coalesce(extract(epoch from now() - min(o.due_at)), 0) as double precision)
    from (values ('documents'), ('mail')) q (queue)
    left join app.outbox o on o.queue = q.queue and o.done_at is null and o.due_at <= now()
        and app.is_here(o.organization_id)
    group by q.queue order by q.queue
$$;
comment on function app.outbox_backlog is
    'The number of due events of each queue, and the age of the oldest in seconds.';

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

create or replace function app.webhook_backlog() returns table (waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select count(d.id), cast(coalesce(extract(epoch from now() - min(d.next_attempt_at)), 0) as double precision)
    from app.webhook_deliveries d
    join app.webhooks h on h.organization_id = d.organization_id and h.id = d.webhook_id
    where d.next_attempt_at <= now() and h.active and h.deleted_at is null and app.is_here(h.organization_id)
$$;
comment on function app.webhook_backlog is 'The number of due deliveries, and the age of the oldest in seconds.';

create or replace function app.webhooks_counted() returns table (state text, webhooks bigint)
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

create or replace function app.webhooks_behind() returns table (organization_id bigint, webhook_id bigint)
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

create or replace function app.changes_write(p_entries app.change_entry[]) returns void
    language plpgsql as $$
begin
    insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                             actor_name, request_id, changed, details, transaction_id)
    select e.organization_id, e.type, e.record_id, e.parent_type, e.parent_id, e.action, e.actor_kind, e.actor_id,
        e.actor_name, e.request_id, e.changed, e.details, numbered.transaction_id
    from unnest(p_entries) with ordinality as e
    join (
        select one.organization_id, app.change_transaction(one.organization_id) as transaction_id
        from (select distinct entry.organization_id from unnest(p_entries) as entry) as one) as numbered
        on numbered.organization_id = e.organization_id
    order by e.ordinality;
end
$$;
comment on function app.changes_write is
    'Writes changes. No other function inserts into app.changes, so none can leave out a parent.';

create or replace function app.seat_choose(p_user_id bigint, p_organization_id bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.organization_users m set chosen_at = now()
        where m.organization_id = app.check_here(p_organization_id) and m.user_id = p_user_id and m.seat_active;
    return found;
end
$$;
comment on function app.seat_choose is 'Notes that a user works in an organization of this cell; false without a seat.';

create or replace function app.session_arrived(p_session_id bigint) returns boolean
    language sql stable security definer set search_path = app, pg_temp as $$
    select exists (select from app.sessions s where s.id = p_session_id)
$$;
comment on function app.session_arrived is 'Whether a session has been copied from home.';

create or replace function app.holder(p_kind text, p_key text) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint;
begin
    case p_kind
        when 'api_key' then
            select k.organization_id into v_organization from app.api_keys k where k.key_hash = p_key;
        when 'account_link' then
            select l.organization_id into v_organization from app.account_links l where l.token_hash = p_key;
        when 'token' then
            select i.organization_id into v_organization from app.interview_invites i where i.token = p_key;
        when 'signing' then
            select l.organization_id into v_organization from app.signature_links l where l.token_hash = p_key;
        when 'slug' then
            select t.organization_id into v_organization from app.interview_templates t
            where t.public_slug = p_key and t.deleted_at is null;
        when 'logo' then
            select f.organization_id into v_organization from app.files f
            join app.organizations o on o.id = f.organization_id and o.logo_file_id = f.id
            where f.sha256 = p_key limit 1;
        when 'organization' then
            select o.id into v_organization from app.organizations o where o.slug = p_key;
        else
            v_organization := null;
    end case;
    return v_organization;
end
$$;
comment on function app.holder is
    'The organization with a key, token, logo or slug, even if this cell has only a copy of it.';

create or replace function app.reset_links_end(p_user_id bigint, p_except bigint default null) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.account_links l set used_at = now()
    where l.user_id = p_user_id and l.kind = 'reset' and l.used_at is null and l.id is distinct from p_except
      and app.is_here(l.organization_id)
$$;
comment on function app.reset_links_end is
    'Ends a user''s links for a new password, except p_except.';

create or replace function app.session_purge(p_before timestamptz) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with sessions as (
        delete from app.sessions where expires_at < p_before or ended_at < p_before returning 1),
    tokens as (delete from app.refresh_tokens where expires_at < p_before returning 1),
    links as (
        delete from app.account_links where expires_at < p_before and app.is_here(organization_id) returning 1)
    select (select count(*) from sessions) + (select count(*) from tokens) + (select count(*) from links)
$$;
comment on function app.session_purge is 'Deletes sessions, refresh tokens and links that ended before a time.';

create or replace function app.password_reset(p_token_hash text, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link record;
begin
    select l.organization_id, l.id, l.user_id into v_link from app.account_links l
        where l.token_hash = p_token_hash and app.check_here(l.organization_id) is not null;
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
comment on function app.password_reset is
    'Sets a password by a link, and ends the user''s other links. False if the link is used or expired.';

create or replace function app.invitation_by_link(p_token_hash text) returns app.invitations
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link record;
    v_invitation app.invitations;
begin
    select l.organization_id, l.id, l.invitation_id into v_link from app.account_links l
        where l.token_hash = p_token_hash and app.check_here(l.organization_id) is not null;
    select i.* into v_invitation from app.invitations i
        where i.organization_id = v_link.organization_id and i.user_id = v_link.invitation_id and i.ended_at is null
        for update;
    -- After this lock, the second of two uses sees the first.
    perform from app.account_links l
        where l.organization_id = v_link.organization_id and l.id = v_link.id
          and l.used_at is null and l.expires_at > now();
    return case when found then v_invitation end;
end
$$;
comment on function app.invitation_by_link is
    'The open invitation of a valid link, locked.';

create or replace function app.api_key_used(p_organization_id bigint, p_key_id bigint) returns void
    language plpgsql security definer
    set search_path = app, pg_temp as $$
declare
    v_minute timestamptz := date_trunc('minute', now());
begin
    perform from app.api_keys k
        where k.organization_id = p_organization_id and k.id = p_key_id and k.last_used_at is distinct from v_minute
          and app.is_here(k.organization_id)
        for no key update skip locked;
    if found then
        update app.api_keys k set last_used_at = v_minute
        where k.organization_id = p_organization_id and k.id = p_key_id;
    end if;
end
$$;
comment on function app.api_key_used is 'Stores the minute in which a key was used. Does nothing if the row is locked.';

grant execute on function app.account, app.memberships to pipeline_app, pipeline_member;
grant execute on function app.account_link, app.account_make, app.account_rename, app.invitations_of,
    app.invitation_answer, app.seat_choose, app.session_arrived, app.reset_links_end to pipeline_app;
grant execute on function app.holder to pipeline_app, pipeline_forms;

""")
    migrations.owned("""
alter table app.users enable always trigger record_renamed;
alter table app.sessions drop constraint sessions_organization_id_fkey;
alter table app.refresh_tokens drop constraint refresh_tokens_organization_id_fkey;
alter table app.webhook_states add since_offset bigint not null default 0;
alter table app.webhook_states
    alter since_offset set default app.feed_offset(nullif(current_setting('app.organization_id', true), '')::bigint),
    alter after_transaction set default app.changes_settled();
comment on column app.webhook_states.since_offset is
    'What the organization''s record of change added to transaction numbers then (app.feed_offset).';
grant update (since_offset) on app.webhook_states to pipeline_admin;
""")
