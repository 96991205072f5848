--:name files_damaged :many
--:doc Up to 20 files with chunks of another size or SHA-256; reads all chunks.
select file.organization_id, file.id
from app.files as file
left join app.file_chunks as chunk on chunk.organization_id = file.organization_id and chunk.file_id = file.id
group by file.organization_id, file.id
having
    coalesce(sum(octet_length(chunk.content)), 0) <> file.size
    or encode(sha256(string_agg(chunk.content, '' order by chunk.position)), 'hex') <> file.sha256 --? digests
order by file.organization_id, file.id
limit 20;

--:name foreign_keys_unindexed :many
--:doc Foreign keys to deletable rows without an index.
select class.relname as table_name, key.conname as name
from pg_constraint as key
inner join pg_class as class on class.oid = key.conrelid
where
    key.contype = 'f'
    and class.relnamespace = to_regnamespace('app')
    and exists (
        select from unnest(array['pipeline_admin', 'pipeline_public', 'pipeline_jobs', 'pipeline_lookup']) as role
        where has_table_privilege(role, key.confrelid, 'delete')
    )
    and not exists (
        select
        from pg_index as own
        where
            own.indrelid = key.conrelid
            and own.indisvalid
            -- A partial index serves if it holds all referring rows.
            and (own.indpred is null or pg_get_expr(own.indpred, own.indrelid) ~ '^\(\w+ IS NOT NULL\)$')
            -- Its first columns are those of the key, in any order.
            and (cast(own.indkey as smallint[]))[0:cardinality(key.conkey) - 1] @> key.conkey
    )
order by class.relname, key.conname;

--:name tables_unconfined :many
--:doc Tables of organizations without enabled and forced row-level security or the organization's policy.
select class.relname as name
from pg_class as class
where
    class.relnamespace = to_regnamespace('app')
    and class.relkind in ('r', 'p')
    and exists (
        select from pg_attribute as own
        where own.attrelid = class.oid and own.attname = 'organization_id' and not own.attisdropped
    )
    and not (
        class.relrowsecurity
        and class.relforcerowsecurity
        and exists (select from pg_policy as policy where policy.polrelid = class.oid and not policy.polpermissive)
    )
order by class.relname;

--:name statistics_stale :many
--:doc Large tables never analyzed, or half changed since.
select statistic.relname as name
from pg_stat_user_tables as statistic
where
    statistic.schemaname = 'app'
    and statistic.n_live_tup >= cast(:least as bigint)
    and (
        coalesce(statistic.last_analyze, statistic.last_autoanalyze) is null
        or statistic.n_mod_since_analyze > statistic.n_live_tup / 2
    )
order by statistic.relname;

--:name indexes_twin :many
--:doc Indexes with the same definition as another, beside it.
with defined as (
    select
        own.indexrelid,
        class.relname as name,
        -- The raw columns, because pg_get_indexdef and pg_get_expr fail if the table is dropped meanwhile.
        cast(row(
            own.indrelid, class.relam, class.reloptions, own.indisunique, own.indnullsnotdistinct, own.indnkeyatts,
            own.indkey, own.indclass, own.indcollation, own.indoption,
            regexp_replace(concat(own.indexprs, own.indpred), '\:location -?\d+', '', 'g')
        ) as text) as definition
    from pg_index as own
    inner join pg_class as class on class.oid = own.indexrelid
    where class.relnamespace = to_regnamespace('app')
)

select twin.name, kept.name as other
from defined as twin
inner join defined as kept on kept.definition = twin.definition and kept.indexrelid < twin.indexrelid
order by twin.name;

--:name indexes_leaky :many
--:doc Indexes that row-level security cannot use, because an expression is not leakproof.
select class.relname as name
from pg_index as own
inner join pg_class as class on class.oid = own.indexrelid
inner join pg_class as relation on relation.oid = own.indrelid
inner join pg_am as method on method.oid = class.relam
where
    class.relnamespace = to_regnamespace('app')
    and relation.relrowsecurity
    -- Other methods serve definer functions (search); unique indexes serve their constraint.
    and method.amname = 'btree'
    and not own.indisunique
    and (
        exists (
            select
            from unnest(cast(own.indclass as oid[])) as used (class)
            inner join pg_opclass as compared on compared.oid = used.class
            inner join pg_amop as entry
                on
                    entry.amopfamily = compared.opcfamily
                    and entry.amoplefttype = compared.opcintype
                    and entry.amoprighttype = compared.opcintype
            inner join pg_operator as operator on operator.oid = entry.amopopr
            inner join pg_proc as routine on routine.oid = operator.oprcode
            where not routine.proleakproof
        )
        or exists (
            select
            from regexp_matches(cast(own.indexprs as text), '\:funcid (\d+)', 'g') as called (ids)
            inner join pg_proc as routine on routine.oid = cast(called.ids[1] as oid)
            where not routine.proleakproof
        )
    )
order by class.relname;

--:name indexes_broken :many
--:doc Invalid indexes.
select class.relname as name
from pg_index as index_of
inner join pg_class as class on class.oid = index_of.indexrelid
where class.relnamespace = to_regnamespace('app') and not index_of.indisvalid
order by class.relname;

--:name indexes_unused :many
--:doc Large indexes without a constraint, unused since the statistics began.
select
    statistic.indexrelname as name,
    pg_relation_size(statistic.indexrelid) / 1048576 as mib
from pg_stat_user_indexes as statistic
inner join pg_index as index_of on index_of.indexrelid = statistic.indexrelid
inner join pg_stat_database as database on database.datname = current_database()
where
    statistic.schemaname = 'app'
    and statistic.idx_scan = 0
    and not index_of.indisunique
    and pg_relation_size(statistic.indexrelid) >= cast(:least as bigint)
    and coalesce(database.stats_reset, pg_postmaster_start_time())
    < now() - make_interval(days => cast(:days as integer))
order by pg_relation_size(statistic.indexrelid) desc;
