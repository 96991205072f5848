--:name tables_held :many
--:doc All tables, with their files, and the locks and scans of the current transaction.
select
    cast(class.relname as text) as name,
    pg_relation_filenode(class.oid) as file,
    coalesce(bool_or(held.mode = 'AccessExclusiveLock'), false) as reads,
    coalesce(bool_or(held.mode in ('ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')), false) as writes,
    pg_stat_get_xact_numscans(class.oid) > 0 as scanned
from pg_class as class
left join pg_locks as held on held.relation = class.oid and held.pid = pg_backend_pid()
where class.relnamespace = to_regnamespace('app') and class.relkind in ('r', 'p')
group by class.oid
order by class.relname;

--:name table_sizes :many
--:doc The estimated rows and the bytes of all tables.
select
    cast(class.relname as text) as name,
    greatest(cast(class.reltuples as bigint), 0) as rows,
    pg_total_relation_size(class.oid) as bytes
from pg_class as class
where class.relnamespace = to_regnamespace('app') and class.relkind in ('r', 'p')
order by class.relname;
