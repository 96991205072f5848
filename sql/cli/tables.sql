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
