--:name tables_held :many
--:doc All tables, with their files, and the locks and scans of the current transaction.
select
    cast(class.relname as text) as name,
    pg_relation_filenode(class.oid) as file,
    coalesce(bool_or(held.mode = 'AccessExclusiveLock'), false) as reads,
    coalesce(bool_or(held.mode in ('ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')), false) as writes,
    -- Inserts scan nothing.
    coalesce(bool_or(held.mode = 'RowExclusiveLock'), false) and (
        pg_stat_get_xact_numscans(class.oid) > 0
        or exists (
            select from pg_index as index
            where index.indrelid = class.oid and pg_stat_get_xact_numscans(index.indexrelid) > 0
        )
    ) as changes,
    pg_stat_get_xact_numscans(class.oid) > 0 as scanned
from pg_class as class
left join pg_locks as held on held.relation = class.oid and held.pid = pg_backend_pid()
where class.relnamespace = to_regnamespace('app') and class.relkind in ('r', 'p')
group by class.oid
order by class.relname;

--:name table_sizes :many
--:doc The estimated rows of all tables, and their bytes with and without indexes.
select
    cast(class.relname as text) as name,
    greatest(cast(class.reltuples as bigint), 0) as rows,
    pg_total_relation_size(class.oid) as bytes,
    pg_table_size(class.oid) as content
from pg_class as class
where class.relnamespace = to_regnamespace('app') and class.relkind in ('r', 'p')
order by class.relname;

--:name foreign_objects :many
--:doc The schema `app`, and the tables in `public` of no extension: in a new database they are another program's.
select 'the schema app' as name
where to_regnamespace('app') is not null
union all
select 'the table ' || cast(class.relname as text)
from pg_class as class
where
    class.relnamespace = to_regnamespace('public')
    and class.relkind in ('r', 'p')
    and not exists (
        select from pg_depend as part
        where part.classid = cast('pg_class' as regclass) and part.objid = class.oid and part.deptype = 'e'
    )
    -- A migration makes this one first.
    and not exists (
        select from pg_attribute as own
        where own.attrelid = class.oid and class.relname = 'alembic_version' and own.attname = 'serves'
    )
limit 5;
