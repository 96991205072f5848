-- The extensions, in their own schema, and the schema app. Only pipeline_owner creates objects in app; PUBLIC executes
-- none of its functions.

-- Without it no login can run DO.
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
comment on schema app is 'The tables, views and functions of Pipeline.';
alter default privileges revoke execute on functions from public;
grant usage on schema app to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_admin,
    pipeline_public, pipeline_lookup;
-- For functions of pipeline_lookup; 99_closing.sql revokes it.
grant create on schema app to pipeline_lookup;
