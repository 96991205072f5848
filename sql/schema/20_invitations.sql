-- Invitations, and one-time email links for invitations and new passwords. Neither row nor response time of an
-- invitation reveals whether the address has an account. Its user_id becomes the id of a new user only. Lock order
-- against deadlocks: invitation, user, seat, link, session, token.

set local role pipeline_owner;

create table app.invitations (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null default nextval('app.users_id_seq'),
    email text not null check (length(email) >= 3 and length(email) <= 254 and octet_length(email) = length(email)),
    email_key text not null generated always as (app.email_key(email)) stored,
    name text check (length(name) between 1 and 255),
    role text not null default 'member' check (role in ('admin', 'member')),
    team_id bigint,
    open_team_id bigint generated always as (case when ended_at is null then team_id end) stored,
    invited_by bigint,
    invited_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '72 hours',
    outcome text check (outcome in ('accepted', 'declined')),
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, user_id),
    check ((outcome is null) = (ended_at is null)),
    constraint invitations_organization_id_team_id_fkey foreign key (organization_id, open_team_id)
        references app.teams,
    foreign key (organization_id, invited_by) references app.organization_users on delete set null (invited_by)
);
comment on table app.invitations is 'Invitations to a seat, open and ended.';
comment on column app.invitations.user_id is 'The user''s id, if the invitation leads to a new account.';
comment on column app.invitations.email is 'Email address of the recipient, in ASCII.';
comment on column app.invitations.email_key is 'The address in lower case, for finding an account.';
comment on column app.invitations.name is 'Name of the recipient, as the administrator entered it.';
comment on column app.invitations.role is 'Role of the seat: admin or member.';
comment on column app.invitations.team_id is 'Team of the seat.';
comment on column app.invitations.open_team_id is
    'team_id while the invitation is open, so that an ended invitation does not block deleting its team.';
comment on column app.invitations.invited_by is 'The administrator who last sent the invitation.';
comment on column app.invitations.invited_at is 'When the link was last sent.';
comment on column app.invitations.outcome is 'The result: accepted or declined; null while it is open.';
comment on column app.invitations.ended_at is 'When it was accepted or declined.';

call app.share('app.invitations');

-- An accepted invitation is recorded as a new user.
call app.record_changes('app.invitations', 'users',
    '{email, name, role, team_id, invited_by, invited_at, expires_at, outcome, ended_at}',
    p_key => 'user_id', p_ended => 'ended_at');

-- One open invitation per address; also lists users.
create unique index invitations_open on app.invitations (organization_id, email_key) where ended_at is null;
-- Invitations of an address in all organizations.
create index invitations_person on app.invitations (email_key) where ended_at is null;
-- Lists a team's users and checks a team's deletion.
create index invitations_team on app.invitations (organization_id, team_id) where team_id is not null;
create index invitations_open_team on app.invitations (organization_id, open_team_id) where open_team_id is not null;

grant insert (organization_id, email, name, role, team_id, invited_by), update (name, role, team_id), delete
    on app.invitations to pipeline_admin;
grant delete on app.invitations to pipeline_jobs;
grant select, update (invited_by, invited_at, expires_at, outcome, ended_at) on app.invitations to pipeline_lookup;

-- The API's users: seats and open invitations.
create view app.user_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, account.email, account.name, seat.role,
    case when seat.seat_active then 'active' else 'inactive' end as status, seat.seat_active, seat.team_id,
    team.name as team_name, cast(null as text) as invited_at, cast(null as text) as invitation_expires_at,
    app.iso(seat.created_at) as created_at, app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
join app.users as account on account.id = seat.user_id
left join app.teams as team on team.organization_id = seat.organization_id and team.id = seat.team_id
union all
select
    invitation.user_id, invitation.organization_id, invitation.email, invitation.name, invitation.role,
    'invited', false, invitation.team_id, team.name, app.iso(invitation.invited_at), app.iso(invitation.expires_at),
    app.iso(invitation.created_at), app.iso(invitation.updated_at)
from app.invitations as invitation
left join app.teams as team on team.organization_id = invitation.organization_id and team.id = invitation.team_id
where invitation.ended_at is null;
comment on view app.user_records is 'Users as the API returns them: seats and open invitations.';
call app.present('app.user_records', 'pipeline_member', 'app.organization_users', 'app.users', 'app.invitations');
comment on column app.user_records.id is 'Identifier of the user; an invited user keeps it when accepting.';
comment on column app.user_records.email is 'Email address; for an invited user as the administrator entered it.';
comment on column app.user_records.name is 'Name; for an invited user as the administrator entered it.';
comment on column app.user_records.status is 'invited, active or inactive.';
comment on column app.user_records.team_name is 'Name of the team.';
comment on column app.user_records.invited_at is 'When the invitation was last sent; null for a seat.';
comment on column app.user_records.invitation_expires_at is 'When the invitation''s link expires; null for a seat.';
comment on column app.user_records.created_at is 'When the seat or the invitation was created.';
comment on column app.user_records.updated_at is 'When the seat, the person or the invitation was last changed.';

create view app.seat_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, account.email, account.name, seat.seat_active as active,
    app.iso(seat.created_at) as created_at, app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
join app.users as account on account.id = seat.user_id;
comment on view app.seat_records is 'Seats as the API shows them to programs, without role, team and invitations.';
call app.present('app.seat_records', 'pipeline_member', 'app.organization_users', 'app.users');
comment on column app.seat_records.id is 'Identifier of the user, as in assigned_to, owner_id and created_by.';
comment on column app.seat_records.active is 'Whether the seat is active, so that records can be assigned to the user.';
comment on column app.seat_records.created_at is 'When the seat was created.';
comment on column app.seat_records.updated_at is 'When the seat or the person was last changed.';

create table app.account_links (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    kind text not null check (kind in ('activate', 'reset')),
    user_id bigint,
    invitation_id bigint,
    token_hash text unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    mailed_at timestamptz,
    primary key (organization_id, id),
    constraint account_links_person check (
        (kind = 'activate') = (invitation_id is not null) and (kind = 'reset') = (user_id is not null)),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade,
    foreign key (organization_id, invitation_id) references app.invitations on delete cascade
);
comment on table app.account_links is
    'One-time links in emails. The worker creates the token when it sends the email; only its SHA-256 is stored. The '
    'organization is the sender of the email.';
comment on column app.account_links.kind is 'activate: accepts or declines an invitation; reset: sets a new password.';
comment on column app.account_links.user_id is 'The user, for reset.';
comment on column app.account_links.invitation_id is 'The invitation, for activate.';
comment on column app.account_links.token_hash is 'SHA-256 of the token; null until the email is sent.';
comment on column app.account_links.used_at is 'When it was used or replaced.';
comment on column app.account_links.mailed_at is
    'When its email was sent or given up. Afterwards it gets no new token.';

call app.isolate('app.account_links');

create index account_links_seat on app.account_links (organization_id, user_id);
-- For the hourly limit of a user.
create index account_links_user on app.account_links (user_id, created_at);
create index account_links_invitation on app.account_links (organization_id, invitation_id)
    where invitation_id is not null;
-- For deletion by the worker.
create index account_links_expiry on app.account_links (expires_at);

create policy jobs on app.account_links for select to pipeline_jobs using (true);
grant select (organization_id, id, kind, user_id, invitation_id, created_at, expires_at, used_at, mailed_at)
    on app.account_links to pipeline_jobs;
grant select, insert (organization_id, kind, user_id, invitation_id, token_hash, expires_at),
    update (token_hash, used_at, mailed_at), delete on app.account_links to pipeline_lookup;

set local role pipeline_lookup;

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

create function app.account_link_issue(p_link_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_token text := replace(concat(gen_random_uuid(), gen_random_uuid()), '-', '');
begin
    update app.account_links l set token_hash = encode(sha256(convert_to(v_token, 'UTF8')), 'hex')
        where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and l.id = p_link_id and l.used_at is null and l.mailed_at is null and l.expires_at > now();
    return case when found then v_token end;
end
$$;
comment on function app.account_link_issue is
    'Creates a new token for the email of a link, and ends the previous token. Null if the email was sent or given up, '
    'or the link was used or has expired.';

create function app.account_link_mailed() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update app.account_links l set mailed_at = now()
        where l.organization_id = new.organization_id and l.id = new.link_id and l.mailed_at is null;
    return null;
end
$$;
comment on function app.account_link_mailed is
    'Trigger: after its email was sent or given up, a link gets no new token.';

create function app.invitation_send(p_id bigint, p_invited_by bigint) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_link bigint;
begin
    update app.invitations i
        set invited_by = p_invited_by, invited_at = now(), expires_at = now() + interval '72 hours'
        where i.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and i.user_id = p_id and i.ended_at is null;
    if not found then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and l.invitation_id = p_id and l.used_at is null;
    insert into app.account_links (organization_id, kind, invitation_id, expires_at)
        values (nullif(current_setting('app.organization_id', true), '')::bigint, 'activate', p_id,
                now() + interval '72 hours') returning id into v_link;
    insert into app.outbox (organization_id, event, key, payload)
        values (nullif(current_setting('app.organization_id', true), '')::bigint, 'account_link',
                'account_link:' || v_link, jsonb_build_object('link_id', v_link));
    return true;
end
$$;
comment on function app.invitation_send is
    'Creates a link for an open invitation and the event that sends it, and ends earlier links. False if no invitation '
    'is open.';

-- Only the functions below call the next two.

create function app.invitation_settle(p_organization_id bigint, p_id bigint, p_outcome text, p_account_id bigint)
    returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations;
begin
    if p_organization_id is null then
        return false;
    end if;
    update app.account_links l set used_at = now()
        where l.organization_id = p_organization_id and l.invitation_id = p_id and l.used_at is null;
    update app.invitations i set outcome = p_outcome, ended_at = now()
        where i.organization_id = p_organization_id and i.user_id = p_id and i.ended_at is null
        returning i.* into v_invitation;
    if found and p_outcome = 'accepted' then
        insert into app.organization_users (organization_id, user_id, role, team_id)
        values (p_organization_id, p_account_id, v_invitation.role, v_invitation.team_id) on conflict do nothing;
    end if;
    return v_invitation.user_id is not null;
end
$$;
comment on function app.invitation_settle is
    'Ends an open invitation, and creates the seat if it is accepted. Returns whether it was open. The callers find '
    'the account.';

create function app.invitation_by_link(p_token_hash text) returns app.invitations
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

create function app.account_make(p_id bigint, p_email text, p_name text, p_password_hash text) returns bigint
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

create function app.invitation_activate(p_token_hash text, p_name text, p_password_hash text)
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

create function app.invitation_join(p_token_hash text, p_account_id bigint, p_password_hash text)
    returns table (user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
begin
    perform from app.users u where u.id = p_account_id and u.email_key = v_invitation.email_key
        and u.password_hash = p_password_hash for share;
    if found then
        perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'accepted', p_account_id);
        return query select p_account_id, v_invitation.organization_id;
    end if;
end
$$;
comment on function app.invitation_join is
    'Accepts an invitation as an existing user: creates the seat. No row if the link is used or expired, or the '
    'password has changed since the check.';

create function app.invitation_decline(p_token_hash text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_invitation app.invitations := app.invitation_by_link(p_token_hash);
begin
    perform app.invitation_settle(v_invitation.organization_id, v_invitation.user_id, 'declined', null);
    return v_invitation.user_id is not null;
end
$$;
comment on function app.invitation_decline is 'Declines an invitation by its link. Returns whether it was open.';

create function app.invitations_of(p_user_id bigint)
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

create function app.invitation_answer(p_user_id bigint, p_id bigint, p_outcome text) returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := (
        select i.organization_id from app.invitations_of(p_user_id) as i where i.id = p_id);
begin
    -- The second of two responses finds it ended.
    return case when app.invitation_settle(v_organization, p_id, p_outcome, p_user_id) then v_organization end;
end
$$;
comment on function app.invitation_answer is
    'Accepts or declines an open invitation of a logged-in user, and returns its organization; null if there is none.';

grant execute on function app.account_link, app.account_make, app.invitation_activate, app.invitation_join, app.invitation_decline
    to pipeline_app;
grant execute on function app.account_link_issue to pipeline_jobs;
grant execute on function app.account_link_mailed to pipeline_owner;
grant execute on function app.invitation_send to pipeline_admin;
-- Another cell's transaction takes no role.
grant execute on function app.invitations_of, app.invitation_answer to pipeline_app, pipeline_member;
