--:name backend_number :scalar
--:doc The number of the process that serves this connection.
select pg_backend_pid() as number;

--:name health_probe_patience :one
--:doc Let this transaction's statements end soon, and sort in little memory, so that a sort needs the disk.
select
    set_config('statement_timeout', cast(:statement_timeout as text), true) as statement_timeout,
    set_config('work_mem', '64kB', true) as work_mem;

--:name health_probe :one
--:doc Write to the log and to the disk, 300 kB for a moment, and leave nothing; says whether this transaction may change rows.
-- The message takes a transaction number and is flushed by the commit; nobody reads it. A sort beyond its memory goes
-- to a file where the tables lie: what a full disk refuses.
select
    current_setting('transaction_read_only')::boolean as read_only,
    pg_logical_emit_message(true, 'pipeline', 'ready') as written,
    (
        select length(string_agg(line, '' order by line))
        from (select repeat('x', 1000) || number as line from generate_series(1, 300) as number) as spilled
    ) as sorted;

--:name lock_holders :many
--:doc The sessions that a session waits for: number, login, program, and the name of the statement where it is one of the service's; no index.
-- Of a session of another login nobody sees the statement; of ours only its name is told, which holds no values.
select
    blocking.pid,
    holder.usename as login,
    holder.application_name as program,
    holder.state,
    substring(holder.query from '^-- (\w+)') as statement
from unnest(pg_blocking_pids(cast(:pid as integer))) as blocking (pid)
left join pg_stat_activity as holder on blocking.pid = holder.pid;
