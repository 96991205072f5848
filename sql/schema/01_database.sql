-- The database itself: what everybody loses, the extensions, the schema app.
--
-- Extensions live in a schema of their own, so that "every function in app" means Pipeline's own. Nobody but
-- pipeline_owner may create anything in app, and no function in it is executable by PUBLIC.

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
    execute format('revoke temporary on database %I from public', current_database());
    -- The import's tables.
    execute format('grant temporary on database %I to pipeline_member', current_database());
end
$$;

-- Without it there is no DO: a program that runs in the server.
grant usage on language plpgsql to pipeline_owner, pipeline_lookup;
revoke usage on language plpgsql from public;

revoke create on schema public from public;

create schema extensions;
grant usage on schema extensions to public;
create extension pg_trgm schema extensions;
create extension btree_gin schema extensions;
create extension unaccent schema extensions;

create schema app authorization pipeline_owner;

set local role pipeline_lookup;
alter default privileges revoke execute on functions from public;

set local role pipeline_owner;
comment on schema app is 'Everything of Pipeline; sql/schema/ has a file for each subject.';
alter default privileges revoke execute on functions from public;
grant usage on schema app to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_admin,
    pipeline_public, pipeline_lookup;
-- Until 99_closing.sql, for the functions that pipeline_lookup owns.
grant create on schema app to pipeline_lookup;
