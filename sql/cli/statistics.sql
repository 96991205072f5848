--:name statistics_schema :scalar
--:doc The schema of pg_stat_statements; no row without the extension.
select namespace.nspname as name
from pg_extension as extension
inner join pg_namespace as namespace on namespace.oid = extension.extnamespace
where extension.extname = 'pg_stat_statements';

--:name search_only :scalar
--:doc Search names in this schema only.
select set_config('search_path', quote_ident(cast(:schema as text)), true) as search_path;

--:name statement_statistics :many
--:doc The costs of the service's statements, in milliseconds; sequential.
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
