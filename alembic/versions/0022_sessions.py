"""Sessions, one-time links by email, and seats that wait for their owner.

Nobody but its owner sets a password: it counts only where the owner has confirmed the address, by a link that was sent
to it. Until now administrators chose passwords, and the database cannot tell which of them their owners know: they
all go, and so do the logins that were made with them. Their owners choose new ones with a link from "forgot", or the
operator sets them (`pipeline set-password`).

A session is a login: its refresh tokens rotate, its access tokens name it, and all of them die with it. The
organization stands in each refresh token, because two windows of one session may work in two organizations.

Who takes several locks takes them in this order, so that nobody waits in a circle: user, seat, link, session, token.
"""

from pipeline.database.migrations import ORGANIZATION, isolation, lookups, owned, tenant_table

revision = "0022"
down_revision = "0021"

REMOVED = """
drop function app.authenticate(bigint, bigint);
drop function app.user_ensure(text, text, text);
drop function app.user_rename(bigint, text);
drop function app.refresh_token_issue(bigint, bigint, uuid, text, timestamptz);
drop function app.refresh_token_rotate(text, text, timestamptz);
drop function app.refresh_token_revoke(text);
drop function app.refresh_token_purge(timestamptz);
"""

USERS = """
drop table app.refresh_tokens;

drop trigger touch on app.users;
alter table app.users alter column password_hash drop not null;
alter table app.users no force row level security;
update app.users set password_hash = null;
alter table app.users force row level security;
alter table app.users
    add column confirmed_at timestamptz,
    add constraint users_password_confirmed check (password_hash is null or confirmed_at is not null);
comment on column app.users.confirmed_at is
    'When the person has shown that the address is theirs, or the operator has vouched for it; no password before.';

-- A new password is nothing that others see of the person.
create trigger touch before update of email, name on app.users for each row execute function app.touch();

grant select (confirmed_at), update (password_hash, confirmed_at) on app.users to pipeline_lookup;
grant select (branding) on app.organizations to pipeline_lookup;
"""

SEATS = f"""
drop trigger touch on app.organization_users;
alter table app.organization_users
    add column invited_email text check (length(invited_email) between 3 and 254),
    add column invited_name text check (length(invited_name) between 1 and 255),
    add column invited_at timestamptz,
    add column accepted_at timestamptz default now(),
    add column chosen_at timestamptz;
alter table app.organization_users no force row level security;
update app.organization_users set accepted_at = created_at;
alter table app.organization_users force row level security;
alter table app.organization_users
    add column status text not null generated always as (
        case when accepted_at is null then 'invited' when seat_active then 'active' else 'inactive' end) stored,
    add constraint organization_users_active check (not seat_active or accepted_at is not null),
    add constraint organization_users_invited check (
        (accepted_at is null) = (invited_email is not null) and (accepted_at is null) = (invited_name is not null));
comment on column app.organization_users.invited_email is
    'What the administrator typed, shown instead of the person''s own until they accept; so is invited_name.';
comment on column app.organization_users.chosen_at is 'When the person last chose to work here.';

create trigger touch
    before update of role, seat_active, team_id, invited_name, invited_at, accepted_at on app.organization_users
    for each row execute function app.touch();

-- A seat is made by app.seat_invite alone, so that nobody sits anywhere without having accepted.
revoke insert on app.organization_users from pipeline_admin;
grant update (invited_name) on app.organization_users to pipeline_admin;
grant select (status, invited_email, invited_name, invited_at, accepted_at, chosen_at, team_id),
    insert (organization_id, user_id, role, team_id, seat_active, accepted_at, invited_email, invited_name, invited_at),
    update (seat_active, accepted_at, invited_email, invited_name, invited_at, chosen_at)
    on app.organization_users to pipeline_lookup;

-- Who has not accepted a seat here is a stranger: neither their name nor that they exist is shown.
alter policy organization on app.users
    using (exists (select from app.organization_users m where m.organization_id = {ORGANIZATION}
                   and m.user_id = users.id and m.accepted_at is not null))
    with check (exists (select from app.organization_users m where m.organization_id = {ORGANIZATION}
                        and m.user_id = users.id and m.accepted_at is not null));
"""

RECORDS = """
drop view app.user_records;
create view app.user_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, coalesce(seat.invited_email, account.email) as email,
    coalesce(seat.invited_name, account.name) as name, seat.role, seat.status, seat.seat_active, seat.team_id,
    team.name as team_name, app.iso(seat.invited_at) as invited_at, app.iso(seat.created_at) as created_at,
    app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
left join app.users as account on account.id = seat.user_id
left join app.teams as team on team.organization_id = seat.organization_id and team.id = seat.team_id;
comment on view app.user_records is
    'Users as the seats that they have here, as the API gives them; who is only invited, as they were typed.';
grant select on app.user_records to pipeline_member;
"""

SESSIONS = f"""
create table app.sessions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity primary key,
    user_id bigint not null references app.users (id),
    client text not null default '' check (length(client) <= 200),
    address text not null default '' check (length(address) <= 100),
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
);
comment on table app.sessions is
    'Logins. organization_id is where the session works now; it belongs to its user, in whichever organization.';
{isolation("sessions", f"organization_id = {ORGANIZATION}")}
create index sessions_user on app.sessions (user_id, id);
create index sessions_expiry on app.sessions (expires_at);
grant select, insert (organization_id, user_id, client, address, expires_at),
    update (organization_id, last_used_at, ended_at), delete on app.sessions to pipeline_lookup;
"""

TOKENS = """
    session_id bigint not null references app.sessions (id) on delete cascade,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    rotated_at timestamptz
"""

TOKEN_GRANTS = """
create index refresh_tokens_session on app.refresh_tokens (session_id);
create index refresh_tokens_expiry on app.refresh_tokens (expires_at);
grant select, insert (organization_id, session_id, token_hash, expires_at),
    update (organization_id, rotated_at), delete on app.refresh_tokens to pipeline_lookup;
"""

LINKS = """
    kind text not null check (kind in ('activate', 'reset')),
    user_id bigint not null,
    token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
"""

LINK_GRANTS = """
comment on table app.account_links is
    'Links that are good once, sent by email. The token is made when the email is handed to the mail server, and only '
    'its SHA-256 stays; the organization is the one in whose name the email is sent.';
create index account_links_seat on app.account_links (organization_id, user_id);
create index account_links_user on app.account_links (user_id, created_at);
create index account_links_expiry on app.account_links (expires_at);
create policy jobs on app.account_links for select to pipeline_jobs using (true);
grant select (organization_id, id, kind, user_id, created_at, expires_at, used_at)
    on app.account_links to pipeline_jobs;
grant select, insert (organization_id, kind, user_id, token_hash, expires_at), update (token_hash, used_at), delete
    on app.account_links to pipeline_lookup;
grant insert (organization_id, event, key, payload) on app.outbox to pipeline_lookup;

alter table app.emails
    add column link_id bigint,
    add foreign key (organization_id, link_id) references app.account_links on delete cascade;
create index emails_link on app.emails (organization_id, link_id) where link_id is not null;
grant insert (link_id) on app.emails to pipeline_jobs;
"""

SESSION_LOOKUPS = """
create function app.authenticate(p_user_id bigint, p_organization_id bigint, p_session_id bigint)
    returns table (user_id bigint, organization_id bigint, role text)
    language plpgsql stable security definer
    set search_path = app, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    -- Asked by every request: two primary keys, one plan for all. Planned each time it takes half as long again.
    return query select m.user_id, m.organization_id, m.role
        from app.organization_users m join app.sessions s on s.id = p_session_id and s.user_id = m.user_id
        where m.organization_id = p_organization_id and m.user_id = p_user_id and m.seat_active
          and s.ended_at is null and s.expires_at > now();
end
$$;
comment on function app.authenticate is
    'The seat of a token''s user and organization; no row when it is not active, or when the session has ended.';

create function app.session_start(p_user_id bigint, p_password_hash text, p_organization_id bigint, p_client text,
                                  p_address text, p_expires_at timestamptz, p_token_hash text,
                                  p_token_expires_at timestamptz)
    returns table (session_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint;
    v_session bigint;
begin
    -- The locks keep password and seat as they are: a reset or a deactivation at the same moment comes either before,
    -- and is seen here, or after, and finds this session.
    perform from app.users u where u.id = p_user_id and u.password_hash = p_password_hash for share;
    if not found then
        return;
    end if;
    select m.organization_id into v_organization from app.organization_users m
        where m.user_id = p_user_id and m.seat_active
          and (p_organization_id is null or m.organization_id = p_organization_id)
        order by m.chosen_at desc nulls last, m.organization_id limit 1 for share;
    if v_organization is null then
        return;
    end if;
    insert into app.sessions (organization_id, user_id, client, address, expires_at)
        values (v_organization, p_user_id, left(p_client, 200), left(p_address, 100), p_expires_at)
        returning id into v_session;
    if p_token_hash is not null then
        insert into app.refresh_tokens (organization_id, session_id, token_hash, expires_at)
            values (v_organization, v_session, p_token_hash, least(p_token_expires_at, p_expires_at));
    end if;
    return query select v_session, v_organization;
end
$$;
comment on function app.session_start is
    'A new session, in the given organization, else where the person last chose to work; no row when the password has '
    'changed since it was checked, or without an active seat.';

create function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text, p_new_expires_at timestamptz,
                                         p_session_id bigint, p_organization_id bigint)
    returns table (outcome text, session_id bigint, user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_token app.refresh_tokens;
    v_session app.sessions;
    v_seated boolean;
    v_outcome text := 'rotated';
begin
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    select * into v_session from app.sessions s where s.id = v_token.session_id;
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
    v_seated := found;
    -- From here on the second of two rotations sees what the first has done.
    select * into v_session from app.sessions s where s.id = v_session.id for update;
    select * into v_token from app.refresh_tokens t where t.token_hash = p_token_hash;
    if v_session.ended_at is not null or v_session.expires_at <= now() or v_token.id is null then
        v_outcome := 'unknown';
    elsif v_token.rotated_at < now() - interval '10 seconds' then
        update app.sessions s set ended_at = now() where s.id = v_session.id;
        v_outcome := 'reused';
    elsif v_token.expires_at <= now() then
        v_outcome := 'expired';
    elsif not v_seated then
        v_outcome := 'no_seat';
    else
        if p_organization_id is not null then
            update app.organization_users m set chosen_at = now()
                where m.organization_id = p_organization_id and m.user_id = v_session.user_id;
            v_session.organization_id := p_organization_id;
        else
            v_session.organization_id := v_token.organization_id;
        end if;
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
    'Trade a refresh token for a successor, in another organization when one is given: rotated, unknown, expired, '
    'no_seat, or reused, which ends the session. Within 10 seconds of its rotation a token gets one more successor. '
    'p_session_id, when given, must be the token''s. The caller must commit after reused too, or the end is lost.';

create function app.session_logout(p_token_hash text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.sessions s set ended_at = now()
    where s.ended_at is null
      and s.id = (select t.session_id from app.refresh_tokens t where t.token_hash = p_token_hash)
$$;
comment on function app.session_logout is 'End the session of a refresh token; an unknown one changes nothing.';

create function app.session_list(p_user_id bigint)
    returns table (id bigint, created_at timestamptz, last_used_at timestamptz, client text, address text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select s.id, s.created_at, s.last_used_at, s.client, s.address from app.sessions s
    where s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
$$;

create function app.session_end(p_user_id bigint, p_session_id bigint) returns boolean
    language sql security definer set search_path = app, pg_temp as $$
    with ended as (
        update app.sessions s set ended_at = now()
        where s.id = p_session_id and s.user_id = p_user_id and s.ended_at is null and s.expires_at > now()
        returning 1)
    select exists (select from ended)
$$;
comment on function app.session_end is 'End one of a person''s sessions; false when there is none with this id.';

create function app.sessions_end(p_user_id bigint, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.sessions s set ended_at = now()
    where s.user_id = p_user_id and s.ended_at is null and s.id is distinct from p_except
$$;
comment on function app.sessions_end is 'End all sessions of a person but one, or all of them for null.';

create function app.session_purge(p_before timestamptz) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with sessions as (
        delete from app.sessions where expires_at < p_before or ended_at < p_before returning 1),
    tokens as (delete from app.refresh_tokens where expires_at < p_before returning 1),
    links as (delete from app.account_links where expires_at < p_before returning 1)
    select (select count(*) from sessions) + (select count(*) from tokens) + (select count(*) from links)
$$;
comment on function app.session_purge is 'Remove sessions, refresh tokens and links that were over before a time.';

create function app.seat_gone() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_other bigint;
begin
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
    'When a seat goes, its person''s sessions go on in another organization, or end with the last one.';

grant execute on function app.authenticate, app.session_start, app.refresh_token_rotate, app.session_logout
    to pipeline_app;
-- Also asked for inside an authenticated transaction, whose role is no longer the login's.
grant execute on function app.session_list, app.session_end, app.sessions_end to pipeline_app, pipeline_member;
grant execute on function app.session_purge to pipeline_jobs;
grant execute on function app.seat_gone to pipeline_owner;
"""

SEAT_TRIGGER = """
create trigger gone_deactivated after update of seat_active on app.organization_users
    for each row when (old.seat_active and not new.seat_active) execute function app.seat_gone();
create trigger gone_deleted after delete on app.organization_users
    for each row when (old.seat_active) execute function app.seat_gone();
"""

PASSWORD_LOOKUPS = """
create function app.password_set(p_user_id bigint, p_password_hash text, p_except bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set password_hash = p_password_hash, confirmed_at = coalesce(u.confirmed_at, now())
    where u.id = p_user_id;
    select app.sessions_end(p_user_id, p_except)
$$;
comment on function app.password_set is
    'A password that its owner has chosen, or the operator; ends all sessions but one. For the other functions here '
    'and the command line: nobody who serves requests may call it.';

create function app.password_hash(p_user_id bigint) returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.password_hash from app.users u where u.id = p_user_id
$$;

create function app.password_change(p_user_id bigint, p_known_hash text, p_new_hash text, p_session_id bigint)
    returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    perform from app.users u where u.id = p_user_id and u.password_hash = p_known_hash for no key update;
    if not found then
        return false;
    end if;
    perform app.password_set(p_user_id, p_new_hash, p_session_id);
    return true;
end
$$;
comment on function app.password_change is
    'Replace the password that was checked, and end the person''s other sessions; false when it has changed since.';

create function app.password_forgot(p_email text, p_expires_at timestamptz) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_seat record;
    v_link bigint;
    v_known boolean;
begin
    -- Of requests for one address one is served after the other, whether somebody has it or not.
    perform pg_advisory_xact_lock(hashtextextended('password_forgot ' || lower(p_email), 0));
    select m.organization_id, m.user_id into v_seat
        from app.users u join app.organization_users m on m.user_id = u.id and m.seat_active
        where u.email_key = lower(p_email) order by m.chosen_at desc nulls last, m.organization_id limit 1;
    -- Three an hour: an email each hour at most is what keeps its owner from a good link, and no flood fills a mailbox.
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
        insert into app.outbox (organization_id, event, key, payload)
            values (v_seat.organization_id, 'account_link', 'account_link:' || v_link,
                    jsonb_build_object('link_id', v_link));
        if not v_known then
            raise exception 'taken back' using errcode = 'PI009';
        end if;
    exception when sqlstate 'PI009' then
        -- For an unknown address the same is written, and taken back: the time tells nothing.
        perform pg_notify('pipeline_outbox', '');
    end;
end
$$;
comment on function app.password_forgot is
    'A link for a new password, and the event that sends it, when somebody with an active seat has this address.';

create function app.account_link(p_token_hash text)
    returns table (kind text, user_id bigint, organization_id bigint, organization_name text, branding jsonb,
                   locale text, email text, name text, password_hash text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select l.kind, l.user_id, l.organization_id, o.name, o.branding, o.locale, coalesce(m.invited_email, u.email),
           coalesce(m.invited_name, u.name), u.password_hash
    from app.account_links l
    join app.organizations o on o.id = l.organization_id
    join app.organization_users m on m.organization_id = l.organization_id and m.user_id = l.user_id
    join app.users u on u.id = l.user_id
    where l.token_hash = p_token_hash and l.used_at is null and l.expires_at > now()
      and (l.kind = 'reset' or m.accepted_at is null)
$$;
comment on function app.account_link is
    'What a link that is still good is for. password_hash tells a person who is known already, and is null for others.';

create function app.account_link_issue(p_link_id bigint, p_token_hash text) returns void
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.account_links l set token_hash = p_token_hash where l.id = p_link_id and l.token_hash is null
        and l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint;
    if not found then
        insert into app.account_links (organization_id, kind, user_id, token_hash, expires_at)
            select l.organization_id, l.kind, l.user_id, p_token_hash, l.expires_at from app.account_links l
            where l.id = p_link_id and l.used_at is null
              and l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint;
    end if;
end
$$;
comment on function app.account_link_issue is
    'The token that an email is about to carry. A second attempt gets one more: the first may have arrived, too.';

create function app.password_reset(p_token_hash text, p_password_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_user bigint;
begin
    select u.id into v_user from app.account_links l join app.users u on u.id = l.user_id
        where l.token_hash = p_token_hash for no key update of u;
    perform from app.account_links l
        where l.token_hash = p_token_hash and l.kind = 'reset' and l.used_at is null and l.expires_at > now();
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.user_id = v_user and l.kind = 'reset' and l.used_at is null;
    perform app.password_set(v_user, p_password_hash, null);
    return true;
end
$$;
comment on function app.password_reset is
    'Use a link for a new password, and with it every other one of the person; false when it is not good any more.';

grant execute on function app.password_hash, app.password_change, app.password_forgot, app.account_link,
    app.password_reset to pipeline_app;
grant execute on function app.account_link_issue to pipeline_jobs;
"""

SEAT_LOOKUPS = f"""
create function app.seat_invite(p_email text, p_name text, p_role text, p_team_id bigint, p_expires_at timestamptz)
    returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_user bigint;
begin
    -- What an administrator types about a stranger stays with the seat: the account of a new person has no name yet.
    insert into app.users (email, name) values (p_email, left(split_part(p_email, '@', 1), 255))
        on conflict (email_key) do nothing returning id into v_user;
    if v_user is null then
        select u.id into v_user from app.users u where u.email_key = lower(p_email);
    end if;
    insert into app.organization_users (organization_id, user_id, role, team_id, seat_active, accepted_at,
                                        invited_email, invited_name, invited_at)
        values ({ORGANIZATION}, v_user, coalesce(p_role, 'member'), p_team_id, false, null,
                p_email, coalesce(p_name, left(split_part(p_email, '@', 1), 255)), now());
    perform app.seat_link(v_user, p_expires_at);
    return v_user;
end
$$;
comment on function app.seat_invite is
    'A seat that waits for its owner, and the link that is sent to them; the id of the user, made when nobody has the '
    'address. A person with a seat here breaks its primary key.';

create function app.seat_link(p_user_id bigint, p_expires_at timestamptz) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link bigint;
begin
    update app.organization_users m set invited_at = now()
        where m.organization_id = {ORGANIZATION} and m.user_id = p_user_id and m.accepted_at is null;
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = {ORGANIZATION} and l.user_id = p_user_id and l.kind = 'activate'
          and l.used_at is null;
    insert into app.account_links (organization_id, kind, user_id, expires_at)
        values ({ORGANIZATION}, 'activate', p_user_id, p_expires_at) returning id into v_link;
    insert into app.outbox (organization_id, event, key, payload)
        values ({ORGANIZATION}, 'account_link', 'account_link:' || v_link, jsonb_build_object('link_id', v_link));
    return true;
end
$$;
comment on function app.seat_link is
    'A new link for an invited seat, instead of the one before; false when no seat here waits for this person.';

create function app.user_rename(p_user_id bigint, p_name text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.organization_users m set invited_name = p_name
        where m.organization_id = {ORGANIZATION} and m.user_id = p_user_id and m.accepted_at is null;
    if found then
        return true;
    end if;
    if not exists (select from app.organization_users m
                   where m.organization_id = {ORGANIZATION} and m.user_id = p_user_id) then
        return false;
    end if;
    update app.users u set name = p_name
    where u.id = p_user_id and u.name <> p_name and not exists (
        select from app.organization_users m
        where m.user_id = u.id and m.organization_id <> {ORGANIZATION} and m.accepted_at is not null);
    return exists (select from app.users u where u.id = p_user_id and u.name = p_name);
end
$$;
comment on function app.user_rename is
    'Whether a person with a seat here now has this name: an invited one in their invitation, else in their account; '
    'who has a seat elsewhere, too, keeps the old one.';

create function app.account_activate(p_token_hash text, p_name text, p_known_hash text, p_new_hash text)
    returns table (user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link app.account_links;
    v_hash text;
begin
    select * into v_link from app.account_links l where l.token_hash = p_token_hash and l.kind = 'activate';
    select u.password_hash into v_hash from app.users u where u.id = v_link.user_id for no key update;
    if not found or v_hash <> p_known_hash or (v_hash is not null and p_known_hash is null)
            or (v_hash is null and p_new_hash is null) then
        return;
    end if;
    perform from app.organization_users m where m.organization_id = v_link.organization_id
        and m.user_id = v_link.user_id and m.accepted_at is null for no key update;
    if not found or not exists (select from app.account_links l where l.organization_id = v_link.organization_id
            and l.id = v_link.id and l.used_at is null and l.expires_at > now()) then
        return;
    end if;
    if v_hash is null then
        update app.users u set name = coalesce(p_name, (
                select m.invited_name from app.organization_users m
                where m.organization_id = v_link.organization_id and m.user_id = v_link.user_id))
            where u.id = v_link.user_id;
        perform app.password_set(v_link.user_id, p_new_hash, null);
    end if;
    perform app.seat_accept(v_link.user_id, v_link.organization_id);
    return query select v_link.user_id, v_link.organization_id;
end
$$;
comment on function app.account_activate is
    'Accept a seat by the link that was sent: a new person gets name and password, of a known one p_known_hash is the '
    'hash that their password was checked by. No row when the link is not good any more or the hash is not theirs.';

create function app.seat_accept(p_user_id bigint, p_organization_id bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.organization_users m
        set accepted_at = now(), seat_active = true, invited_email = null, invited_name = null
        where m.organization_id = p_organization_id and m.user_id = p_user_id and m.accepted_at is null;
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = p_organization_id and l.user_id = p_user_id and l.kind = 'activate'
          and l.used_at is null;
    return true;
end
$$;
comment on function app.seat_accept is 'Accept a seat as its owner; false when none waits for them there.';

create function app.invitations(p_user_id bigint)
    returns table (organization_id bigint, organization_name text, role text, invited_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select m.organization_id, o.name, m.role, m.invited_at
    from app.organization_users m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user_id and m.accepted_at is null
$$;
comment on function app.invitations is 'The seats that wait for a person to accept them.';

grant execute on function app.seat_invite, app.seat_link, app.user_rename to pipeline_admin;
grant execute on function app.account_activate to pipeline_app;
grant execute on function app.seat_accept, app.invitations to pipeline_app, pipeline_member;

"""


def upgrade():
    """Apply the revision."""
    lookups(REMOVED)
    owned(USERS)
    owned(SEATS)
    owned(RECORDS)
    owned(SESSIONS)
    tenant_table("refresh_tokens", TOKENS)
    owned(TOKEN_GRANTS)
    tenant_table("account_links", LINKS)
    owned(LINK_GRANTS)
    lookups(SESSION_LOOKUPS)
    owned(SEAT_TRIGGER)
    lookups(PASSWORD_LOOKUPS)
    lookups(SEAT_LOOKUPS)
