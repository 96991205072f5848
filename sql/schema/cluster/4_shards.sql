-- Lets imports work on shards without Citus, because a join of temporary and distributed tables has crashed servers.
-- Temporary views give the organization's shards the names of their tables.

set local role pipeline_owner;

create function app.shards_held(p_tables text[]) returns table (name text, shard text)
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    c_share constant integer := 5;
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v_shard bigint := app.shard_of(v_organization);
begin
    perform lock_shard_metadata(c_share, array[v_shard]);
    perform 1 from pg_dist_placement p
        where p.shardid = v_shard and p.groupid = (select groupid from pg_dist_local_group);
    if not found then
        raise connection_exception using message = 'the organization is on another server';
    end if;
    return query select t.name, concat_ws('_', t.name, get_shard_id_for_distribution_column(
            cast('app.' || quote_ident(t.name) as regclass), v_organization))
        from unnest(p_tables) as t (name);
end
$$;
comment on function app.shards_held is
    'The current organization''s shards of these tables. A lock, as for each write through Citus, keeps them on this '
    'server until the end of the transaction.';

create function app.on_shards(variadic p_tables text[]) returns void language plpgsql volatile as $$
declare
    v record;
begin
    perform set_config('citus.enable_manual_changes_to_shards', 'on', true);
    -- The views depend on this table and are dropped with it.
    create temporary table on_shards () on commit drop;
    for v in
        select held.name, held.shard, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
        from app.shards_held(p_tables) as held
        join pg_attribute a on a.attrelid = cast('app.' || held.shard as regclass) and a.attnum > 0
        where has_column_privilege(a.attrelid, a.attnum, 'select')
        group by 1, 2
    loop
        execute format('create temporary view %I with (security_invoker = true) as select %s from app.%I '
                       'where cast(null as pg_temp.on_shards) is null', v.name, v.columns, v.shard);
    end loop;
    perform set_config('search_path', 'pg_temp, ' || current_setting('search_path'), true);
end
$$;
comment on function app.on_shards is
    'Until the end of the transaction, unqualified names of these tables refer to the current organization''s shards. '
    'The role''s rights apply, and Citus is not involved.';

create or replace function app.lead_import_lock() returns boolean language plpgsql volatile as $$
begin
    if not pg_try_advisory_xact_lock(hashtextextended(
        'lead_import', cast(nullif(current_setting('app.organization_id', true), '') as bigint))) then
        return false;
    end if;
    perform app.on_shards('leads', 'organization_users', 'users');
    alter view pg_temp.leads alter column id set default app.next_id('app.leads_id_seq');
    return true;
end
$$;
grant execute on function app.shards_held, app.on_shards to pipeline_member;

set local role none;
