-- Organizations, users and teams. A user may have seats in several organizations, so app.users has no organization_id.
-- No serving role inserts seats, renames users or reads password hashes; definer functions do.

set local role pipeline_owner;

create table app.organizations (
    id bigint generated always as identity primary key,
    name text not null check (length(name) between 1 and 255),
    slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    logo_file_id bigint,
    time_zone text not null default 'UTC',
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    locale text not null default 'en',
    legal_name text,
    registration_number text,
    vat_id text,
    email text check (app.has_ascii_domain(email)),
    phone text,
    website text,
    street text,
    city text,
    region text,
    postal_code text,
    country text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
comment on table app.organizations is
    'A customer of the service: a company that licenses software, with the legal details that its contracts name.';
comment on column app.organizations.name is 'The name shown to users and prospects.';
comment on column app.organizations.slug is
    'Short name for URLs: lower-case words joined by hyphens; unique over all organizations.';
comment on column app.organizations.branding is
    'Look of forms and emails: logo_url, primary_color, background_color, text_color; each is optional.';
comment on column app.organizations.logo_file_id is 'The logo, a file of the organization.';
comment on column app.organizations.time_zone is
    'IANA time zone. It determines the current day for contracts and filters by day.';
comment on column app.organizations.currency is 'ISO 4217 code; the default of new deals and quotes.';
comment on column app.organizations.locale is 'Language of dates, numbers and money in contracts, as a BCP 47 tag.';
comment on column app.organizations.legal_name is 'Name of the company in contracts.';
comment on column app.organizations.email is 'Email address for contracts.';

call app.describe_columns('app.organizations');
alter table app.organizations enable row level security;
alter table app.organizations force row level security;
create policy organization on app.organizations as restrictive for all to public
    using (id = nullif(current_setting('app.organization_id', true), '')::bigint)
    with check (id = nullif(current_setting('app.organization_id', true), '')::bigint);

call app.record_changes('app.organizations', 'organization',
    '{name, slug, branding, logo_file_id, time_zone, currency, locale, legal_name, registration_number, vat_id, email,
    phone, website, street, city, region, postal_code, country}',
    p_organization => 'id');

create index organizations_logo on app.organizations (logo_file_id) where logo_file_id is not null;

create policy member on app.organizations for select to pipeline_member, pipeline_jobs using (true);
create policy administrate on app.organizations for update to pipeline_admin using (true) with check (true);
create policy public_form on app.organizations for select to pipeline_public using (true);
grant select on app.organizations to pipeline_member, pipeline_jobs;
grant
    update (name, slug, branding, logo_file_id, time_zone, currency, locale, legal_name, registration_number, vat_id,
        email, phone, website, street, city, region, postal_code, country)
    on app.organizations to pipeline_admin;
grant select (id, name, slug, branding, time_zone, locale, country) on app.organizations to pipeline_public;
grant select (id, name, slug, branding, logo_file_id, time_zone, currency, locale, country)
    on app.organizations to pipeline_lookup;

create function app.phone_region() returns text
    language sql stable parallel safe as $$
    select coalesce(app.country_region(organization.country), substring(organization.locale from '[-_]([A-Z]{2})$'))
    from app.organizations as organization
    where organization.id = nullif(current_setting('app.organization_id', true), '')::bigint
$$;
comment on function app.phone_region is
    'The region of the current organization''s national phone numbers: its country, else that of its locale.';
grant execute on function app.phone_region to pipeline_member, pipeline_jobs, pipeline_lookup;

create table app.users (
    id bigint generated always as identity primary key,
    email text not null check (length(email) >= 3 and length(email) <= 254 and octet_length(email) = length(email)),
    email_key text not null generated always as (app.email_key(email)) stored unique,
    password_hash text,
    name text not null check (length(name) between 1 and 255),
    confirmed_at timestamptz,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint users_password_confirmed check (password_hash is null or confirmed_at is not null)
);
comment on table app.users is 'Users, each once over all organizations.';
comment on column app.users.id is 'Identifier, given by the database. Invitations use the same sequence.';
comment on column app.users.email is 'Email address in ASCII, used to log in.';
comment on column app.users.email_key is 'The address in lower case, unique.';
comment on column app.users.password_hash is 'Argon2id hash; null until the person sets a password.';
comment on column app.users.name is 'Name of the user; only the user can change it.';
comment on column app.users.confirmed_at is
    'When the user or the operator confirmed the address. A password requires it.';
call app.describe_columns('app.users');

-- A new password does not change updated_at.
call app.touch_changed('app.users', 'email', 'name');

-- An administrator must not take over an account of another organization.
grant select (id, email, email_key, name, name_key, created_at, updated_at) on app.users to pipeline_member, pipeline_jobs;
grant select (id, email, email_key, name, password_hash, confirmed_at), insert (id, email, name, password_hash),
    update (name, password_hash, confirmed_at) on app.users to pipeline_lookup;
-- For the ids of invitations.
grant usage on sequence app.users_id_seq to pipeline_admin;

create table app.teams (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.teams is 'Teams of users; a list of leads can be limited to one''s own team.';
comment on column app.teams.name is 'Name of the team.';

call app.share('app.teams', 'pipeline_admin', 'name');
call app.record_changes('app.teams', 'teams', '{name}');

create table app.organization_users (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null references app.users (id),
    role text not null default 'member' check (role in ('admin', 'member')),
    seat_active boolean not null default true,
    team_id bigint,
    chosen_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, user_id),
    foreign key (organization_id, team_id) references app.teams
);
comment on table app.organization_users is 'Seats: the membership of a user in an organization, with a role.';
comment on column app.organization_users.role is 'admin or member.';
comment on column app.organization_users.seat_active is
    'Whether the seat is active; false ends the user''s access from the next request on.';
comment on column app.organization_users.team_id is 'The user''s team.';
comment on column app.organization_users.chosen_at is
    'When the user last switched to this organization or joined it by a link. The next login starts in the latest '
    'one.';

call app.share('app.organization_users');
call app.record_changes('app.organization_users', 'users', '{role, seat_active, team_id}',
    p_key => 'user_id', p_touched_by => '{role, seat_active, team_id}');

create index organization_users_user on app.organization_users (user_id);
-- Also for the foreign key.
create index organization_users_team on app.organization_users (organization_id, team_id);

grant update (role, seat_active, team_id), delete on app.organization_users to pipeline_admin;
grant select (organization_id, user_id, role, seat_active, team_id, chosen_at),
    insert (organization_id, user_id, role, seat_active, team_id), update (seat_active, chosen_at)
    on app.organization_users to pipeline_lookup;

-- Users are visible where they have a seat.
alter table app.users enable row level security;
alter table app.users force row level security;
create policy organization on app.users as restrictive for all to public
    using (exists (
        select from app.organization_users m
        where m.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and m.user_id = users.id))
    with check (exists (
        select from app.organization_users m
        where m.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and m.user_id = users.id));
create policy member on app.users to pipeline_member, pipeline_jobs using (true) with check (true);

-- For use before the organization is known, or across organizations.
set local role pipeline_lookup;

create function app.login_account(p_email text)
    returns table (user_id bigint, email text, name text, password_hash text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name, u.password_hash from app.users u where u.email_key = app.email_key(p_email)
$$;
comment on function app.login_account is 'The user with an email address, and the password hash.';

create function app.account(p_user_id bigint)
    returns table (user_id bigint, email text, name text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name from app.users u where u.id = p_user_id
$$;
comment on function app.account is 'The user with an id.';

create function app.account_rename(p_user_id bigint, p_name text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.users u set name = p_name where u.id = p_user_id
$$;
comment on function app.account_rename is 'Renames a user in all organizations.';

create function app.memberships(p_user_id bigint)
    returns table (id bigint, name text, slug text, role text,
                   time_zone text, currency text, locale text, chosen_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select o.id, o.name, o.slug, m.role, o.time_zone, o.currency, o.locale, m.chosen_at
    from app.organization_users m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user_id and m.seat_active and app.is_here(o.id) order by o.id
$$;
comment on function app.memberships is 'The organizations of this cell in which a user has an active seat, by id.';

create function app.organization_ids() returns setof bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select id from app.organizations where app.is_here(id) order by id
$$;
comment on function app.organization_ids is 'The ids of the organizations that this cell serves, for the worker.';

create function app.person_recorded() returns trigger
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

create function app.is_active_seat(p_user_id bigint) returns boolean
    language sql stable security definer set search_path = app, pg_temp as $$
    select exists (
        select from app.organization_users s
        where s.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and s.user_id = p_user_id and s.seat_active)
$$;
comment on function app.is_active_seat is 'Whether a user has an active seat in the current organization.';

grant execute on function app.login_account to pipeline_app;
-- Authenticated transactions call these too, under another role.
grant execute on function app.account, app.memberships to pipeline_app, pipeline_member;
grant execute on function app.account_rename to pipeline_app, pipeline_member;
grant execute on function app.organization_ids to pipeline_jobs;
grant execute on function app.is_active_seat to pipeline_public, pipeline_member;
grant execute on function app.person_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_renamed after update of name on app.users
    for each row when (old.name is distinct from new.name) execute function app.person_recorded();
-- Also for names that come from home.
alter table app.users enable always trigger record_renamed;
