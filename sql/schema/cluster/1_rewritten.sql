-- Changes before a cluster distributes the tables, run by the superuser in the same transaction
-- (pipeline/database/cluster/distribution.py).

-- Marked immutable, so that the planner computes a constant and finds the shard. A kept plan sees no rows of another
-- organization, because the policy also compares current_setting().
create function app.routed_organization() returns bigint language plpgsql immutable parallel safe as $$
begin
    return nullif(current_setting('app.organization_id', true), '')::bigint;
end
$$;

-- Citus allows no stable function in CASE or COALESCE of an UPDATE. The search path finds these before pg_catalog.
create function app.now() returns timestamptz language plpgsql immutable parallel safe as $$
begin
    return pg_catalog.now();
end
$$;
create function app.clock_timestamp() returns timestamptz language plpgsql immutable parallel safe as $$
begin
    return pg_catalog.clock_timestamp();
end
$$;

-- Citus allows no stable functions in RETURNING, CASE or COALESCE.
alter function app.iso immutable;
alter function app.invite_status immutable;
alter function app.consents_merged immutable;
alter function app.message_erased immutable;
alter function app.signature_status immutable;
alter function app.content_digest immutable;

-- Citus plans no INSERT from a SELECT with a volatile function; it calls a stable one for each row.
create function app.next_id(p_sequence text) returns bigint
    language plpgsql stable security definer set search_path = app, pg_temp as $$
begin
    return nextval(p_sequence);
end
$$;
alter function app.next_id owner to pipeline_owner;

-- Citus refuses sub-selects in policies. PERFORM, because Citus cannot route a sub-select in an expression.
create function app.is_colleague(p_user_id bigint) returns boolean
    language plpgsql stable security definer set search_path = app, pg_temp as $$
begin
    perform 1 from app.organization_users m
        where m.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and m.user_id = p_user_id;
    return found;
end
$$;
alter function app.is_colleague owner to pipeline_lookup;

create function app.invite_takes_files(p_organization_id bigint, p_id bigint, p_at timestamptz) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_invites i
        where i.organization_id = p_organization_id and i.id = p_id
          and i.status in ('pending', 'started') and i.expires_at > p_at;
    return found;
end
$$;

create function app.file_is_seen(p_organization_id bigint, p_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.files f where f.organization_id = p_organization_id and f.id = p_id;
    return found;
end
$$;

create function app.file_takes_chunks(p_organization_id bigint, p_id bigint, p_at timestamptz) returns boolean
    language plpgsql stable as $$
declare
    v_invite bigint;
begin
    select f.invite_id into v_invite from app.files f where f.organization_id = p_organization_id and f.id = p_id;
    return app.invite_takes_files(p_organization_id, v_invite, p_at);
end
$$;

create function app.draft_is_seen(p_organization_id bigint, p_token text) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.capture_drafts d where d.organization_id = p_organization_id and d.token = p_token;
    return found;
end
$$;

create function app.draft_takes_files(p_organization_id bigint, p_token text, p_at timestamptz) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.capture_drafts d
        where d.organization_id = p_organization_id and d.token = p_token
          and not d.submitted and d.expires_at > p_at;
    return found;
end
$$;

create function app.draft_takes_chunks(p_organization_id bigint, p_id bigint, p_at timestamptz) returns boolean
    language plpgsql stable as $$
declare
    v_token text;
begin
    select f.draft_token into v_token from app.files f where f.organization_id = p_organization_id and f.id = p_id;
    return app.draft_takes_files(p_organization_id, v_token, p_at);
end
$$;

create function app.version_is_seen(p_organization_id bigint, p_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_invites i
        where i.organization_id = p_organization_id and i.template_version_id = p_id;
    if not found then
        perform 1 from app.interview_templates t where t.organization_id = p_organization_id and t.version_id = p_id;
    end if;
    return found;
end
$$;

create function app.lead_is_seen(p_organization_id bigint, p_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_invites i where i.organization_id = p_organization_id and i.lead_id = p_id;
    return found;
end
$$;

create function app.template_is_seen(p_organization_id bigint, p_id bigint, p_version_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_templates t
        where t.organization_id = p_organization_id
          and (p_id is null or t.id = p_id and t.version_id = p_version_id);
    return found;
end
$$;

create function app.invite_is_seen(p_organization_id bigint, p_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_invites i where i.organization_id = p_organization_id and i.id = p_id;
    return found;
end
$$;

create function app.invite_makes_lead(p_organization_id bigint) returns boolean
    language plpgsql stable as $$
begin
    perform 1 from app.interview_invites i
        where i.organization_id = p_organization_id and i.origin = 'capture' and i.lead_id is null
          and i.status in ('pending', 'started') and i.expires_at > now();
    return found;
end
$$;
grant execute on function app.routed_organization, app.now, app.clock_timestamp, app.next_id, app.is_colleague, app.invite_takes_files,
    app.file_is_seen, app.file_takes_chunks, app.draft_is_seen, app.draft_takes_files, app.draft_takes_chunks, app.version_is_seen, app.lead_is_seen, app.template_is_seen, app.invite_is_seen, app.invite_makes_lead to public;

alter policy organization on app.users using (app.is_colleague(id)) with check (app.is_colleague(id));
alter policy public_form on app.files using (
    invite_id = nullif(current_setting('app.invite_id', true), '')::bigint
    and app.invite_is_seen(organization_id, invite_id));
alter policy public_form on app.idempotency_keys using (
    scope = 'capture:' || nullif(current_setting('app.template_id', true), '')
    or scope = 'invite:' || nullif(current_setting('app.invite_id', true), '')
       and app.invite_is_seen(organization_id, nullif(current_setting('app.invite_id', true), '')::bigint));
alter policy public_upload on app.files with check (
    created_by is null and app.invite_takes_files(organization_id, invite_id, now()));
alter policy public_removal on app.files using (app.invite_takes_files(organization_id, invite_id, '-infinity'));
alter policy draft on app.files using (
    draft_token = nullif(current_setting('app.draft_token', true), '')
    and app.draft_is_seen(organization_id, draft_token));
alter policy draft_upload on app.files with check (
    created_by is null and app.draft_takes_files(organization_id, draft_token, now()));
alter policy draft_removal on app.files using (app.draft_takes_files(organization_id, draft_token, '-infinity'));
alter policy draft_upload on app.file_chunks with check (app.draft_takes_chunks(organization_id, file_id, now()));
alter policy public_form on app.file_chunks using (app.file_is_seen(organization_id, file_id));
alter policy public_upload on app.file_chunks with check (app.file_takes_chunks(organization_id, file_id, now()));
alter policy public_form on app.interview_template_versions using (app.version_is_seen(organization_id, id));
alter policy public_form on app.leads using (app.lead_is_seen(organization_id, id));
alter policy public_capture on app.leads with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and app.template_is_seen(organization_id, null, null));
alter policy public_capture on app.interview_invites with check (
    origin = 'capture' and status = 'submitted'
    and app.lead_is_new(lead_id)
    and app.template_is_seen(organization_id, template_id, template_version_id));
alter policy public_later on app.interview_invites with check (
    origin = 'capture' and status in ('pending', 'started') and lead_id is null
    and send_email and recipient_email is not null and recipient_name is null
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and app.template_is_seen(organization_id, template_id, template_version_id));
alter policy public_later on app.leads with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and app.invite_makes_lead(organization_id));
