-- What everybody loses.
--
-- No dump carries all of it over, so a restore runs this file again (docs/backup.md).

set local role none;

-- What PostgreSQL lets everybody do and no request needs: the less is left to whoever steals a login. They are a
-- superuser's to take from PUBLIC; the set-up by another role goes on with a warning.
do $$
declare
    routine regprocedure;
begin
    for routine in
        select oid::regprocedure from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace
            -- Large objects have no row-level security; a session's locks outlive its transaction; a login could end
            -- its own other sessions.
            and (
                proname ~ '^(lo_|loread$|lowrite$)'
                or proname ~ '^pg_(try_)?advisory_lock(_shared)?$'
                or proname in ('pg_cancel_backend', 'pg_terminate_backend', 'pg_logical_emit_message')
            )
            -- Who may not execute a function may not even try to revoke it.
            and has_function_privilege(oid, 'execute')
    loop
        execute format('revoke execute on function %s from public', routine);
    end loop;
    -- /readyz writes a message. Its arguments are others from PostgreSQL 17 on.
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_logical_emit_message' loop
        execute format('grant execute on function %s to pipeline_app, pipeline_forms', routine);
    end loop;
    -- What a login holds for too long is ended (90_logins.sql).
    for routine in select oid::regprocedure from pg_proc where proname = 'pg_terminate_backend' loop
        execute format('grant execute on function %s to pipeline_watch', routine);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
    -- The import's tables.
    execute format('grant temporary on database %I to pipeline_member', current_database());
end
$$;
