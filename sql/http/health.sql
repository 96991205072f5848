--:name backend_number :scalar
--:doc This connection's server process number.
select pg_backend_pid() as number;

--:name health_probe_patience :one
--:doc Set a short statement timeout and little sort memory, to test the disk.
select
    set_config('statement_timeout', cast(:statement_timeout as text), true) as statement_timeout,
    set_config('work_mem', '64kB', true) as work_mem;

--:name health_probe :one
--:doc Write 300 kB to the log and disk; returns whether the transaction is read-only.
-- The commit flushes the message; a full disk refuses the sort's file.
select
    current_setting('transaction_read_only')::boolean as read_only,
    pg_logical_emit_message(true, 'pipeline', 'ready') as written,
    (
        select length(string_agg(line, '' order by line))
        from (select repeat('x', 1000) || number as line from generate_series(1, 300) as number) as spilled
    ) as sorted;
