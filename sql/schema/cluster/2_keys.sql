-- Unique values of all organizations of a cluster. No shard can check them, so a table on every server maps each to its
-- organization.

set local role pipeline_owner;

create table app.global_keys (
    kind text not null,
    key text not null,
    organization_id bigint not null,
    primary key (kind, key)
);
comment on table app.global_keys is
    'On a cluster: the values that are unique over all organizations, with their organization. Triggers of the tables '
    'keep it.';
comment on column app.global_keys.kind is
    'The kind of key: organization (its slug), slug (of a capture form), token, api_key, link or signing.';
comment on column app.global_keys.key is 'The slug or token, or the hash of a key or link.';
comment on column app.global_keys.organization_id is 'The organization of the key.';
alter table app.global_keys enable row level security;
alter table app.global_keys force row level security;
grant select, insert, delete on app.global_keys to pipeline_lookup;

-- The owner sees no organization's rows.
set local role none;
insert into app.global_keys (kind, key, organization_id)
select 'organization', o.slug, o.id from app.organizations o
union all
select 'slug', t.public_slug, t.organization_id from app.interview_templates t
where t.deleted_at is null and t.public_slug is not null
union all
select 'token', i.token, i.organization_id from app.interview_invites i
union all
select 'api_key', k.key_hash, k.organization_id from app.api_keys k
union all
select 'link', l.token_hash, l.organization_id from app.account_links l where l.token_hash is not null
union all
select 'signing', l.token_hash, l.organization_id from app.signature_links l;
set local role pipeline_owner;

create function app.shard_of(p_organization_id bigint) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
begin
    return get_shard_id_for_distribution_column('app.organizations', p_organization_id);
end
$$;
comment on function app.shard_of is
    'The shard of an organization in the table of organizations; its other shards are on the same server.';
grant execute on function app.shard_of to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_lookup;

-- Runs on each worker, shard by shard.
create function app.each_shard(p_text text) returns setof text
    language plpgsql volatile set search_path = app, pg_temp as $$
declare
    v_names jsonb;
    v_name record;
    v_text text;
begin
    for v_names in
        select jsonb_object_agg(t.relname, t.relname || '_' || s.shardid)
        from pg_dist_shard s
        join pg_dist_partition p on p.logicalrelid = s.logicalrelid and p.partmethod = 'h'
        join pg_dist_placement l on l.shardid = s.shardid
        join pg_class t on t.oid = s.logicalrelid
        where l.groupid = (select groupid from pg_dist_local_group)
        group by s.shardminvalue order by random()
    loop
        v_text := p_text;
        for v_name in select * from jsonb_each_text(v_names) loop
            v_text := replace(v_text, '{' || v_name.key || '}', v_name.value);
        end loop;
        return next v_text;
    end loop;
end
$$;
comment on function app.each_shard is
    'Runs a statement with {table} for the tables, once for each of this server''s shards in turn.';
grant execute on function app.each_shard to pipeline_lookup;

set local role none;
grant create on schema app to pipeline_lookup;
set local role pipeline_lookup;

create function app.organization_of(p_kind text, p_key text) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint;
begin
    select k.organization_id into v_organization from app.global_keys k where k.kind = p_kind and k.key = p_key;
    return v_organization;
end
$$;
comment on function app.organization_of is
    'The organization of a key that is unique over all organizations; null for an unknown key.';
grant execute on function app.organization_of to pipeline_app, pipeline_forms;

create function app.key_kept() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_kind text := tg_argv[0];
    v_old jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    v_new jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    v_before text := case when v_old ->> 'deleted_at' is null then v_old ->> tg_argv[1] end;
    v_after text := case when v_new ->> 'deleted_at' is null then v_new ->> tg_argv[1] end;
    v_organization bigint := coalesce(v_new, v_old) ->> tg_argv[3];
begin
    if v_before is not distinct from v_after then
        return null;
    end if;
    if v_before is not null then
        delete from app.global_keys k where k.kind = v_kind and k.key = v_before;
    end if;
    if v_after is not null then
        insert into app.global_keys (kind, key, organization_id) values (v_kind, v_after, v_organization)
        on conflict do nothing;
        if not found then
            raise unique_violation using message = format('duplicate key value violates unique constraint "%s"', tg_argv[2]),
                constraint = tg_argv[2];
        end if;
    end if;
    return null;
end
$$;
comment on function app.key_kept is
    'Trigger (kind, column, constraint, organization column): keeps global_keys. It refuses an existing key like the '
    'unique constraint of a single PostgreSQL.';
grant execute on function app.key_kept to pipeline_owner;

create function app.reference_gone() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    execute format('update app.%I set %I = null where organization_id = $1 and %I = $2', tg_argv[0], tg_argv[1], tg_argv[1])
        using old.organization_id, cast(to_jsonb(old) ->> tg_argv[2] as bigint);
    return old;
end
$$;
comment on function app.reference_gone is
    'Trigger (table, column, key): clears references to a deleted row. Citus lacks ON DELETE SET NULL for one column.';
grant execute on function app.reference_gone to pipeline_owner;

-- Look-ups by a global key, in two steps.

create or replace function app.invite_by_token(p_token text)
    returns table (organization_id bigint, invite_id bigint)
    language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
    v_organization bigint := app.organization_of('token', p_token);
begin
    return query select i.organization_id, i.id from app.interview_invites i
        where i.organization_id = v_organization and i.token = p_token;
end
$$;

create or replace function app.signature_by_token(p_token_hash text)
    returns table (organization_id bigint, request_id bigint, signer_id bigint)
    language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
    v_organization bigint := app.organization_of('signing', p_token_hash);
begin
    return query select l.organization_id, l.request_id, l.signer_id from app.signature_links l
        where l.organization_id = v_organization and l.token_hash = p_token_hash;
end
$$;

create or replace function app.capture_by_slug(p_public_slug text)
    returns table (organization_id bigint, template_id bigint)
    language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
    v_organization bigint := app.organization_of('slug', p_public_slug);
begin
    return query select t.organization_id, t.id from app.interview_templates t
        where t.organization_id = v_organization and t.public_slug = p_public_slug and t.lead_capture_enabled
          and t.deleted_at is null;
end
$$;

create or replace function app.authenticate_key(p_key_hash text)
    returns table (key_id bigint, organization_id bigint, role text, scopes text[], good boolean)
    language plpgsql stable security definer set search_path = app, pg_temp as $$
#variable_conflict use_column
declare
    v_organization bigint := app.organization_of('api_key', p_key_hash);
begin
    return query select k.id, k.organization_id, k.role, k.scopes,
            k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        from app.api_keys k where k.organization_id = v_organization and k.key_hash = p_key_hash;
end
$$;

set local role none;
revoke create on schema app from pipeline_lookup;
set local role pipeline_owner;

-- Each server fires this trigger, so only the changing session records the change.
drop trigger record_renamed on app.users;
create trigger record_renamed after update of name on app.users
    for each row
    when (old.name is distinct from new.name and current_setting('application_name') not like 'citus_internal%')
    execute function app.person_recorded();

create trigger key_kept after insert or delete or update of slug on app.organizations
    for each row execute function app.key_kept('organization', 'slug', 'organizations_slug_key', 'id');
create trigger key_kept after insert or delete or update of public_slug, deleted_at on app.interview_templates
    for each row execute function app.key_kept(
        'slug', 'public_slug', 'interview_templates_public_slug', 'organization_id');
create trigger key_kept after insert or delete or update of token on app.interview_invites
    for each row execute function app.key_kept('token', 'token', 'interview_invites_token_key', 'organization_id');
create trigger key_kept after insert or delete or update of key_hash on app.api_keys
    for each row execute function app.key_kept('api_key', 'key_hash', 'api_keys_key_hash_key', 'organization_id');
create trigger key_kept after insert or delete or update of token_hash on app.account_links
    for each row execute function app.key_kept('link', 'token_hash', 'account_links_token_hash_key', 'organization_id');
create trigger key_kept after insert or delete or update of token_hash on app.signature_links
    for each row execute function app.key_kept(
        'signing', 'token_hash', 'signature_links_token_hash_key', 'organization_id');

set local role none;
