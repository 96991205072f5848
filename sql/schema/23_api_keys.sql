-- API keys: credentials for programs, without a seat. Only the SHA-256 of a key is stored; 256 random bits make timing
-- of the look-up harmless. A revoked key keeps its row, because records show its name.

set local role pipeline_owner;

create table app.api_keys (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    prefix text not null check (prefix ~ '^pl_[0-9A-Za-z]{5}$'),
    key_hash text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
    role text not null default 'member' check (role in ('admin', 'member')),
    scopes text[] not null check (cardinality(scopes) > 0),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_by bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users on delete set null (created_by)
);
comment on table app.api_keys is 'API keys for programs, including revoked ones.';
comment on column app.api_keys.name is 'Name of the key, shown on records that it creates.';
comment on column app.api_keys.prefix is 'The first 8 characters of the key, for recognition.';
comment on column app.api_keys.key_hash is 'SHA-256 of the key; the key itself is not stored.';
comment on column app.api_keys.role is
    'admin or member: the key has the rights of a seat with this role. It cannot change.';
comment on column app.api_keys.scopes is 'Scopes of the key, such as leads:read; all grants everything.';
comment on column app.api_keys.expires_at is 'When the key expires; null for never.';
comment on column app.api_keys.last_used_at is 'The minute in which it was last used.';
comment on column app.api_keys.revoked_at is 'When it was revoked.';

call app.isolate('app.api_keys', 'pipeline_member', 'pipeline_jobs');

-- Use of a key does not change updated_at.
call app.record_changes('app.api_keys', 'api-keys',
    '{name, role, scopes, expires_at, revoked_at}',
    p_ended => 'revoked_at', p_touched_by => '{name, scopes, expires_at}');

-- Members see only the names of keys.
grant select (organization_id, id, name) on app.api_keys to pipeline_member, pipeline_jobs;
-- The worker checks whether a webhook's key may still read.
grant select (scopes, expires_at, revoked_at) on app.api_keys to pipeline_jobs;
grant
    select (prefix, role, scopes, expires_at, last_used_at, revoked_at, created_by, created_at, updated_at),
    insert (organization_id, name, prefix, key_hash, role, scopes, expires_at, created_by),
    update (name, scopes, expires_at, revoked_at)
    on app.api_keys to pipeline_admin;
grant select (organization_id, id, name, prefix, key_hash, role, scopes, expires_at, last_used_at, revoked_at, created_at),
    update (last_used_at)
    on app.api_keys to pipeline_lookup;

create function app.created_by_kind(created_by bigint, created_by_key bigint, by_form boolean default false) returns text
    language sql immutable parallel safe
    return case
        when by_form then 'prospect' when created_by_key is not null then 'key' when created_by is not null then 'user'
        else 'system'
    end;
comment on function app.created_by_kind is
    'The kind of a record''s creator: prospect for a form, else user, key, or system if both are null.';
grant execute on function app.created_by_kind to pipeline_member, pipeline_jobs;

create view app.api_key_records with (security_invoker = true) as
select
    key.id, key.organization_id, key.name, key.prefix, key.role, key.scopes, app.iso(key.expires_at) as expires_at,
    app.iso(key.last_used_at) as last_used_at, key.created_by,
    app.created_by_kind(key.created_by, null) as created_by_kind,
    (select person.name from app.users as person where person.id = key.created_by) as created_by_name,
    app.iso(key.created_at) as created_at, app.iso(key.updated_at) as updated_at
from app.api_keys as key
where key.revoked_at is null;
comment on view app.api_key_records is 'The keys that are not revoked, as the API returns them.';
call app.present('app.api_key_records', 'pipeline_admin', 'app.api_keys');
comment on column app.api_key_records.created_by_kind is 'user, or system after the administrator''s seat was removed.';

-- Here, because a key may have made a team.
create view app.team_records with (security_invoker = true) as
select
    team.id, team.organization_id, team.name,
    team.created_by, app.created_by_kind(team.created_by, team.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = team.created_by),
        (select key.name from app.api_keys as key where key.id = team.created_by_key)
    ) as created_by_name,
    app.iso(team.created_at) as created_at, app.iso(team.updated_at) as updated_at
from app.teams as team;
comment on view app.team_records is 'Teams as the API returns them.';
call app.present('app.team_records', 'pipeline_member', 'app.teams');

set local role pipeline_lookup;

create function app.authenticate_key(p_key_hash text)
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

create function app.api_key_used(p_organization_id bigint, p_key_id bigint) returns void
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

grant execute on function app.authenticate_key, app.api_key_used to pipeline_app;

create function app.own_key()
    returns table (id bigint, name text, prefix text, role text, scopes text[], expires_at text, last_used_at text,
        created_at text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select k.id, k.name, k.prefix, k.role, k.scopes, app.iso(k.expires_at), app.iso(k.last_used_at),
        app.iso(k.created_at)
    from app.api_keys k
    where k.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
        and k.id = nullif(current_setting('app.key_id', true), '')::bigint
$$;
comment on function app.own_key is 'The API key of this transaction; no row for a user.';
grant execute on function app.own_key to pipeline_member;
