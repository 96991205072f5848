-- What a login may not do for as long as it likes.
--
-- Every login may lift its own timeouts; whoever has stolen one could hold locks and spend processors for ever. So the
-- worker ends, every minute, what no request and no delivery takes.
--
-- Only who has the rights of a login may end its sessions. No function that a request may call is to have those of
-- the worker, the secrets of webhooks among them; so this one has an owner of its own.

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
    'End the sessions of the service''s logins whose transaction is older than any of the service''s own; how many.';

revoke execute on function app.overdue_end from public;
grant execute on function app.overdue_end to pipeline_jobs;

set local role pipeline_owner;
revoke all on schema app from pipeline_watch;

set local role none;
