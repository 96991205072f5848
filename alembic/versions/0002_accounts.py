"""Organizations, users, seats, teams, refresh tokens.

A user is one person over all organizations, so users has no organization_id: a row is visible where the
person has a
seat in the current organization. The password hash is readable by no role that serves requests; login goes
through app.login_account.

The functions at the end run before an organization is known. They belong to pipeline_lookup, which sees past
row-level security but has only the columns granted here.
"""

from pipeline.database.migrations import ORGANIZATION, isolation, lookups, owned, tenant_table, touched

revision = "0002"
down_revision = "0001"

ORGANIZATIONS = """
create table app.organizations (
    id bigint generated always as identity primary key,
    name text not null check (length(name) between 1 and 255),
    slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    time_zone text not null default 'UTC',
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    locale text not null default 'en',
    legal_name text, registration_number text, vat_id text,
    email text, phone text, website text,
    street text, city text, region text, postal_code text, country text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
"""

ORGANIZATION_GRANTS = """
create policy member on app.organizations for select to pipeline_member, pipeline_jobs using (true);
create policy administrate on app.organizations for update to pipeline_admin using (true) with check (true);
create policy public_form on app.organizations for select to pipeline_public using (true);
grant select on app.organizations to pipeline_member, pipeline_jobs;
grant
    update (name, slug, branding, time_zone, currency, locale, legal_name, registration_number, vat_id,
        email, phone, website, street, city, region, postal_code, country)
    on app.organizations to pipeline_admin;
grant select (id, name, slug, branding, time_zone, locale) on app.organizations to pipeline_public;
grant select (id, name, slug, time_zone, currency, locale) on app.organizations to pipeline_lookup;
"""

USERS = """
create table app.users (
    id bigint generated always as identity primary key,
    email text not null check (length(email) between 3 and 254),
    email_key text not null generated always as (lower(email)) stored unique,
    password_hash text not null,
    name text not null check (length(name) between 1 and 255),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
"""

TEAMS = """
    name text not null check (length(name) between 1 and 255),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
"""

SEATS = """
    user_id bigint not null references app.users (id),
    role text not null default 'member' check (role in ('admin', 'member')),
    seat_active boolean not null default true,
    team_id bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, team_id) references app.teams
"""

SEATED = f"""exists (
    select from app.organization_users m where m.organization_id = {ORGANIZATION} and m.user_id = users.id)"""

MEMBERS = """
create index organization_users_user on app.organization_users (user_id);
create index organization_users_team on app.organization_users (organization_id, team_id);

create policy member on app.teams to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.teams to pipeline_member, pipeline_jobs;
grant insert (organization_id, name), update (name), delete on app.teams to pipeline_admin;

create policy member on app.organization_users to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.organization_users to pipeline_member, pipeline_jobs;
grant insert (organization_id, user_id, role, seat_active, team_id),
    update (role, seat_active, team_id), delete on app.organization_users to pipeline_admin;
grant select (organization_id, user_id, role, seat_active) on app.organization_users to pipeline_lookup;

-- No update of email or password here: one person may sit in several organizations, and the administrator
-- of one must not be able to take over the account in another.
create policy member on app.users to pipeline_member, pipeline_jobs using (true) with check (true);
grant select (id, email, email_key, name, created_at, updated_at)
    on app.users to pipeline_member, pipeline_jobs;
grant update (name) on app.users to pipeline_admin;
grant select (id, email, email_key, name, password_hash), insert (email, name, password_hash)
    on app.users to pipeline_lookup;
"""

TOKENS = """
    family_id uuid not null,
    user_id bigint not null,
    token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz,
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
"""

TOKEN_GRANTS = """
create index refresh_tokens_user on app.refresh_tokens (organization_id, user_id);
create index refresh_tokens_family on app.refresh_tokens (family_id);
create index refresh_tokens_expiry on app.refresh_tokens (expires_at);
grant select, insert (organization_id, family_id, user_id, token_hash, expires_at),
    update (used_at, revoked_at), delete on app.refresh_tokens to pipeline_lookup;
"""

LOOKUPS = """
create function app.authenticate(p_user_id bigint, p_organization_id bigint)
    returns table (user_id bigint, organization_id bigint, role text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select m.user_id, m.organization_id, m.role from app.organization_users m
    where m.organization_id = p_organization_id and m.user_id = p_user_id and m.seat_active
$$;
comment on function app.authenticate is
    'The seat of a token''s user and organization; no row when it is not active.';

create function app.login_account(p_email text)
    returns table (user_id bigint, email text, name text, password_hash text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name, u.password_hash from app.users u where u.email_key = lower(p_email)
$$;

create function app.account(p_user_id bigint)
    returns table (user_id bigint, email text, name text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select u.id, u.email, u.name from app.users u where u.id = p_user_id
$$;

create function app.memberships(p_user_id bigint)
    returns table (organization_id bigint, name text, slug text, role text,
                   time_zone text, currency text, locale text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select o.id, o.name, o.slug, m.role, o.time_zone, o.currency, o.locale
    from app.organization_users m join app.organizations o on o.id = m.organization_id
    where m.user_id = p_user_id and m.seat_active order by o.id
$$;
comment on function app.memberships is 'The organizations in which a user has an active seat, by id.';

create function app.user_ensure(p_email text, p_name text, p_password_hash text) returns bigint
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_id bigint;
begin
    insert into app.users (email, name, password_hash) values (p_email, p_name, p_password_hash)
        on conflict (email_key) do nothing returning id into v_id;
    if v_id is null then
        select u.id into v_id from app.users u where u.email_key = lower(p_email);
    end if;
    return v_id;
end
$$;
comment on function app.user_ensure is
    'The id of the person with this address, made when nobody has it; an existing one stays unchanged.';

create function app.refresh_token_issue(p_user_id bigint, p_organization_id bigint, p_family_id uuid,
                                        p_token_hash text, p_expires_at timestamptz) returns void
    language sql security definer set search_path = app, pg_temp as $$
    insert into app.refresh_tokens (organization_id, family_id, user_id, token_hash, expires_at)
    values (p_organization_id, p_family_id, p_user_id, p_token_hash, p_expires_at)
$$;

create function app.refresh_token_rotate(p_token_hash text, p_new_token_hash text,
                                         p_new_expires_at timestamptz)
    returns table (outcome text, user_id bigint, organization_id bigint)
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v app.refresh_tokens;
begin
    -- The lock makes the second of two parallel rotations see the first one's used_at.
    select * into v from app.refresh_tokens t where t.token_hash = p_token_hash for update;
    if v.id is null or v.revoked_at is not null or not exists (
            select from app.organization_users m
            where m.organization_id = v.organization_id and m.user_id = v.user_id and m.seat_active) then
        return query select 'unknown', null::bigint, null::bigint;
    elsif v.used_at is not null then
        update app.refresh_tokens t set revoked_at = now()
            where t.family_id = v.family_id and t.revoked_at is null;
        return query select 'reused', null::bigint, null::bigint;
    elsif v.expires_at <= now() then
        return query select 'expired', null::bigint, null::bigint;
    else
        update app.refresh_tokens t set used_at = now()
            where t.organization_id = v.organization_id and t.id = v.id;
        insert into app.refresh_tokens (organization_id, family_id, user_id, token_hash, expires_at)
            values (v.organization_id, v.family_id, v.user_id, p_new_token_hash, p_new_expires_at);
        return query select 'rotated', v.user_id, v.organization_id;
    end if;
end
$$;
comment on function app.refresh_token_rotate is
    'Trade a refresh token for its successor: rotated, unknown, expired, or reused, which revokes the whole '
    'family. The caller must commit after reused too, or the revocation is lost.';

create function app.refresh_token_revoke(p_token_hash text) returns void
    language sql security definer set search_path = app, pg_temp as $$
    update app.refresh_tokens t set revoked_at = now()
    where t.revoked_at is null
      and t.family_id = (select f.family_id from app.refresh_tokens f where f.token_hash = p_token_hash)
$$;

create function app.refresh_token_purge(p_before timestamptz) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with gone as (delete from app.refresh_tokens
        where expires_at < p_before returning 1) select count(*) from gone
$$;

create function app.organization_ids() returns setof bigint
    language sql stable security definer set search_path = app, pg_temp as $$
    select id from app.organizations order by id
$$;
comment on function app.organization_ids is
    'Where the worker finds the organizations it then works in one by one.';

grant execute on function app.authenticate, app.login_account, app.refresh_token_rotate,
    app.refresh_token_revoke to pipeline_app;
-- Also asked for inside an authenticated transaction, whose role is no longer the login's.
grant execute on function app.account, app.memberships, app.refresh_token_issue to pipeline_app,
    pipeline_member;
grant execute on function app.user_ensure to pipeline_admin;
grant execute on function app.refresh_token_purge, app.organization_ids to pipeline_jobs;
"""


def upgrade():
    """Apply the revision."""
    owned(ORGANIZATIONS + isolation("organizations", f"id = {ORGANIZATION}"))
    touched("organizations")
    owned(ORGANIZATION_GRANTS)
    owned(USERS)
    touched("users")
    tenant_table("teams", TEAMS)
    tenant_table("organization_users", SEATS, key="user_id")
    owned(isolation("users", SEATED))
    owned(MEMBERS)
    tenant_table("refresh_tokens", TOKENS)
    owned(TOKEN_GRANTS)
    lookups(LOOKUPS)
