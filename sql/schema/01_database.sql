-- The database itself: the extensions, the schema app.
--
-- Extensions live in a schema of their own, so that "every function in app" means Pipeline's own. Nobody but
-- pipeline_owner may create anything in app, and no function in it is executable by PUBLIC.

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
