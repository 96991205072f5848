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

-- Finds the cell of a secret or slug (pipeline/database/cells.py).
set local role pipeline_lookup;

create function app.holder(p_kind text, p_key text) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint;
begin
    case p_kind
        when 'api_key' then
            select k.organization_id into v_organization from app.api_keys k where k.key_hash = p_key;
        when 'account_link' then
            select l.organization_id into v_organization from app.account_links l where l.token_hash = p_key;
        when 'token' then
            select i.organization_id into v_organization from app.interview_invites i where i.token = p_key;
        when 'signing' then
            select l.organization_id into v_organization from app.signature_links l where l.token_hash = p_key;
        when 'slug' then
            select t.organization_id into v_organization from app.interview_templates t
            where t.public_slug = p_key and t.deleted_at is null;
        when 'logo' then
            select f.organization_id into v_organization from app.files f
            join app.organizations o on o.id = f.organization_id and o.logo_file_id = f.id
            where f.sha256 = p_key limit 1;
        when 'organization' then
            select o.id into v_organization from app.organizations o where o.slug = p_key;
        else
            v_organization := null;
    end case;
    return v_organization;
end
$$;
comment on function app.holder is
    'The organization with a key, token, logo or slug, even if this cell has only a copy of it.';
grant execute on function app.holder to pipeline_app, pipeline_forms;

set local role none;
