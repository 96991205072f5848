--:name snapshot_begin :scalar
--:doc Let other sessions see what this transaction sees; the name by which they ask for it.
select pg_export_snapshot() as snapshot;

--:name table_names :many
--:doc The tables of the schema.
select class.relname as name
from pg_class as class
where class.relnamespace = to_regnamespace('app') and class.relkind = 'r'
order by class.relname;
