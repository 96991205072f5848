--:name statistics_schema :scalar
--:doc The schema that pg_stat_statements is in, nothing without the extension.
select namespace.nspname as name
from pg_extension as extension
inner join pg_namespace as namespace on namespace.oid = extension.extnamespace
where extension.extname = 'pg_stat_statements';

--:name search_only :scalar
--:doc Look for names in this schema alone, until the transaction ends.
select set_config('search_path', quote_ident(cast(:schema as text)), true) as search_path;

--:name statement_statistics :many
--:doc What the statements of the service's logins have cost in this database, in milliseconds; sequential.
select
    statistic.query,
    role.rolname as login,
    cast(statistic.calls as bigint) as calls,
    cast(statistic.rows as bigint) as rows,
    statistic.total_exec_time as total,
    statistic.total_plan_time as planning
from pg_stat_statements as statistic
inner join pg_roles as role on role.oid = statistic.userid
inner join pg_database as database on database.oid = statistic.dbid
where
    database.datname = current_database()
    and statistic.toplevel
    and statistic.calls > 0
    and role.rolname like 'pipeline\_%';
