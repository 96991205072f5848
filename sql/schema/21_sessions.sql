-- Sessions, refresh tokens and passwords (docs/accounts.md); only the functions below read these tables. Ending a
-- session ends its refresh and access tokens. Each refresh token has its own organization, because two browser windows
-- may work in two.

set local role pipeline_owner;

-- A session may switch organization.
-- Without foreign keys to organizations, which may be in other cells.
create table app.sessions (
    organization_id bigint not null,
    id bigint generated always as identity primary key,
    user_id bigint not null references app.users (id),
    client text not null default '' check (length(client) <= 200),
    address text not null default '' check (length(address) <= 100),
    family_hash text unique check (family_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
);
comment on table app.sessions is 'Login sessions. A session belongs to a user and may switch to another organization.';
comment on column app.sessions.organization_id is 'The current organization of the session.';
comment on column app.sessions.id is 'Identifier, given by the database; the sid of access tokens.';
comment on column app.sessions.client is 'User agent of the login, cut to 200 characters.';
comment on column app.sessions.address is 'Network address of the login.';
comment on column app.sessions.family_hash is
    'SHA-256 of the part that all refresh tokens of the session share. It identifies tokens after their rows are '
    'deleted.';
comment on column app.sessions.last_used_at is 'When its tokens were last refreshed.';
comment on column app.sessions.expires_at is 'When the session expires; a refresh does not extend it.';
comment on column app.sessions.ended_at is 'When it was ended before its expiry.';

call app.isolate('app.sessions');

create index sessions_user on app.sessions (user_id, id);
-- For deletion by the worker.
create index sessions_expiry on app.sessions (expires_at);

grant select, insert (organization_id, user_id, client, address, expires_at, family_hash),
    update (organization_id, last_used_at, ended_at), delete on app.sessions to pipeline_lookup;

create table app.refresh_tokens (
    organization_id bigint not null,
    id bigint generated always as identity,
    session_id bigint not null references app.sessions (id) on delete cascade,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    rotated_at timestamptz,
    primary key (organization_id, id)
);
comment on table app.refresh_tokens is 'Refresh tokens. Each use replaces the token by a new one.';
comment on column app.refresh_tokens.session_id is 'The session.';
comment on column app.refresh_tokens.token_hash is 'SHA-256 of the token; the token itself is not kept.';
comment on column app.refresh_tokens.rotated_at is
    'When it was used. Another use more than 10 seconds later ends the session.';

call app.isolate('app.refresh_tokens');

create index refresh_tokens_session on app.refresh_tokens (session_id);
-- For deletion by the worker.
create index refresh_tokens_expiry on app.refresh_tokens (expires_at);

grant select, insert (organization_id, session_id, token_hash, expires_at), update (organization_id, rotated_at), delete
    on app.refresh_tokens to pipeline_lookup;

set local role pipeline_lookup;

create function app.authenticate(p_user_id bigint, p_organization_id bigint, p_session_id bigint)
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
    'The seat of a token''s user and organization. No row if the seat is inactive or the session has ended. Raises PI010 '
    'if the organization is in another cell.';

create function app.session_start(p_user_id bigint, p_password_hash text, p_organization_id bigint, p_client text,
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

create function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text, p_new_expires_at timestamptz,
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

create function app.session_logout(p_token_hash text, p_family_hash text default null) returns void
    language sql security definer
    set search_path = app, pg_temp
    as $$
    update app.sessions s set ended_at = now()
    where s.ended_at is null
      and (s.id = (select t.session_id from app.refresh_tokens t where t.token_hash = p_token_hash)
           or s.family_hash = p_family_hash)
$$;
comment on function app.session_logout is
    'Ends the session of a refresh token, current or replaced. An unknown token has no effect.';

create function app.session_list(p_user_id bigint)
    returns table (id bigint, created_at timestamptz, last_used_at timestamptz, client text, address text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select s.id, s.created_at, s.last_used_at, s.client, s.address from app.sessions s
    where s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
$$;
comment on function app.session_list is 'A user''s open sessions.';

create function app.session_end(p_user_id bigint, p_session_id bigint) returns boolean
    language sql security definer set search_path = app, pg_temp as $$
    with ended as (
        update app.sessions s set ended_at = now()
        where s.id = p_session_id and s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
        returning 1)
    select exists (select from ended)
$$;
comment on function app.session_end is 'Ends an open session of a user; false if there is none.';

create function app.sessions_end(p_user_id bigint, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.sessions s set ended_at = now()
    where s.user_id = p_user_id and s.ended_at is null and s.id is distinct from p_except
$$;
comment on function app.sessions_end is 'Ends all sessions of a user except p_except.';

create function app.session_purge(p_before timestamptz) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with sessions as (
        delete from app.sessions where expires_at < p_before or ended_at < p_before returning 1),
    tokens as (delete from app.refresh_tokens where expires_at < p_before returning 1),
    links as (
        delete from app.account_links where expires_at < p_before and app.is_here(organization_id) returning 1)
    select (select count(*) from sessions) + (select count(*) from tokens) + (select count(*) from links)
$$;
comment on function app.session_purge is 'Deletes sessions, refresh tokens and links that ended before a time.';

create function app.reset_links_end(p_user_id bigint, p_except bigint default null) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.account_links l set used_at = now()
    where l.user_id = p_user_id and l.kind = 'reset' and l.used_at is null and l.id is distinct from p_except
      and app.is_here(l.organization_id)
$$;
comment on function app.reset_links_end is
    'Ends a user''s links for a new password, except p_except.';

create function app.seat_gone() returns trigger
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

create function app.seat_choose(p_user_id bigint, p_organization_id bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.organization_users m set chosen_at = now()
        where m.organization_id = app.check_here(p_organization_id) and m.user_id = p_user_id and m.seat_active;
    return found;
end
$$;
comment on function app.seat_choose is 'Notes that a user works in an organization of this cell; false without a seat.';

create function app.session_arrived(p_session_id bigint) returns boolean
    language sql stable security definer set search_path = app, pg_temp as $$
    select exists (select from app.sessions s where s.id = p_session_id)
$$;
comment on function app.session_arrived is 'Whether a session has been copied from home.';

grant execute on function app.seat_choose, app.session_arrived, app.reset_links_end to pipeline_app;
grant execute on function app.authenticate, app.session_start, app.refresh_token_rotate, app.session_logout
    to pipeline_app;
-- Authenticated transactions call these too, under another role.
grant execute on function app.session_list, app.session_end, app.sessions_end to pipeline_app, pipeline_member;
grant execute on function app.session_purge to pipeline_jobs;
grant execute on function app.seat_gone to pipeline_owner;

create function app.password_set(p_user_id bigint, p_password_hash text, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set password_hash = p_password_hash, confirmed_at = coalesce(u.confirmed_at, now())
    where u.id = p_user_id;
    select app.reset_links_end(p_user_id);
    select app.sessions_end(p_user_id, p_except)
$$;
comment on function app.password_set is
    'Sets a password, and ends the links for a new one and all sessions except p_except. Only the functions here '
    'and the command line call it.';

create function app.password_hash(p_user_id bigint) returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.password_hash from app.users u where u.id = p_user_id
$$;
comment on function app.password_hash is 'The hash of a user''s password.';

create function app.password_change(p_user_id bigint, p_known_hash text, p_new_hash text, p_session_id bigint)
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

create function app.password_forgot(p_email text, p_expires_at timestamptz) returns void
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
comment on function app.password_forgot is
    'Creates a link for a new password and the event that sends it, if a user with an active seat has the address. '
    'Earlier links end.';

create function app.password_reset(p_token_hash text, p_password_hash text) returns boolean
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

create function app.login_recorded(p_session_id bigint, p_request_id text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    select app.changes_write(array_agg(cast(row(
        s.organization_id, 'users', s.user_id, null, null, 'signed_in', 'user', s.user_id, u.name, p_request_id, null,
        jsonb_build_object('client', s.client, 'address', s.address)) as app.change_entry)))
    from app.sessions s join app.users u on u.id = s.user_id
    where s.id = p_session_id
$$;
comment on function app.login_recorded is 'Records the login of a new session for the organization''s audit.';

create function app.login_failed(p_email text, p_client text, p_address text, p_request_id text) returns void
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

grant execute on function app.password_hash, app.password_change, app.password_forgot, app.password_reset,
    app.login_recorded, app.login_failed
    to pipeline_app;

set local role pipeline_owner;
create trigger gone_deactivated after update of seat_active on app.organization_users
    for each row when (old.seat_active and not new.seat_active) execute function app.seat_gone();
create trigger gone_deleted after delete on app.organization_users
    for each row when (old.seat_active) execute function app.seat_gone();
