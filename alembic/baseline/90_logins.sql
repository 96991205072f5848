-- Ends overdue sessions. A stolen login could lift its own timeouts and hold locks for ever. Ending a login's sessions
-- needs its rights, so the function has its own owner: other functions do not get them.

set local role pipeline_owner;
grant usage, create on schema app to pipeline_watch;
set local role pipeline_watch;

create function app.overdue_end() returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with overdue as materialized (
        select a.pid from pg_stat_activity a
        where a.datname = current_database() and a.usename in ('pipeline_app', 'pipeline_forms', 'pipeline_jobs')
          and a.xact_start < now() - case a.usename
              when 'pipeline_jobs' then interval '60 minutes' else interval '15 minutes' end
    )
    select count(*) from overdue where pg_terminate_backend(overdue.pid)
$$;
comment on function app.overdue_end is
    'Ends the sessions of the service''s logins with a transaction older than any timeout of the service. Returns '
    'their number.';

revoke execute on function app.overdue_end from public;
grant execute on function app.overdue_end to pipeline_jobs;

set local role pipeline_owner;
revoke all on schema app from pipeline_watch;

set local role none;
