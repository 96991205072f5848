-- Revokes rights from PUBLIC. Dumps lack some of this, so a restore runs this file again (docs/backup.md).

set local role none;

-- Only a superuser can revoke these; other roles get a warning.
do $$
declare
    routine regprocedure;
begin
    for routine in
        select oid::regprocedure from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
            -- Large objects lack row-level security, and session locks outlive their transaction.
            and (
                proname ~ '^(lo_|loread$|lowrite$)'
                or proname ~ '^pg_(try_)?advisory_lock(_shared)?$'
                or proname in ('pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message')
            )
            -- Other roles cannot revoke it.
            and has_function_privilege(oid, 'execute')
    loop
        execute format('revoke execute on function %s from public', routine);
    end loop;
    -- /readyz writes a message. Its arguments differ from PostgreSQL 17 on.
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_logical_emit_message' loop
        execute format('grant execute on function %s to pipeline_app, pipeline_forms', routine);
    end loop;
    -- Ends overdue sessions (90_logins.sql).
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_terminate_backend' loop
        execute format('grant execute on function %s to pipeline_watch', routine);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
    -- Imports use temporary tables.
    execute format('grant temporary on database %I to pipeline_member, pipeline_jobs', current_database());
end
$$;
