-- What is left of a person beside their records: copies that nobody who serves requests may touch.
--
-- An organization may have to tell a person all that it holds about them, and to erase it. What an administrator may
-- read and delete under row-level security is read and deleted so (sql/personal/). The rest stands here: events, what
-- other users were notified of, answers kept for repeated requests, values in the record of change. These functions name the organization themselves.

set local role pipeline_owner;

grant select (payload), delete on app.outbox to pipeline_lookup;
grant select (organization_id, id, user_id, title, body, data, created_at), delete on app.notifications
    to pipeline_lookup;
grant select (organization_id, scope, headers, body), update (request_hash, status, headers, body)
    on app.idempotency_keys to pipeline_lookup;

create function app.words_erased(value text, patterns text[]) returns text
    language sql immutable parallel safe
    return regexp_replace(regexp_replace(value, patterns[1], '[erased]', 'g'), patterns[2], '[erased]', 'g');
comment on function app.words_erased is 'A text in which [erased] stands for whatever two patterns find.';
grant execute on function app.words_erased to pipeline_admin;

set local role pipeline_lookup;

create function app.person_notifications(p_leads bigint[], p_invites bigint[])
    returns table (id bigint, title text, body text, created_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select n.id, n.title, n.body, n.created_at from app.notifications n
    where n.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[]))
$$;
comment on function app.person_notifications is
    'What any user of the current organization was notified of about some leads and invites.';

create function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_paths text[], p_words text[]
) returns void
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
begin
    -- First, and so before any other lock: an event that is being delivered is waited for.
    delete from outbox o where o.organization_id = v_organization
        and (o.payload ->> 'lead_id' = any(p_leads::text[]) or o.payload ->> 'invite_id' = any(p_invites::text[])
             or o.payload ->> 'email_id' = any(p_emails::text[]));
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[]));
    -- Blanked and not deleted: a client that asks again must not make the record anew.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope = any(select 'invite:' || unnest(p_invites))
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0));
    -- Records of the person that were deleted long ago have left values, too.
    update changes c
    set changed = (select jsonb_object_agg(field, jsonb_build_object('old', null, 'new', null))
                   from jsonb_object_keys(c.changed) as field)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
end
$$;
comment on function app.traces_erase is
    'Delete the events and notifications of some leads, invites and emails of the current organization; blank the '
    'answers kept for repeated requests that made what stands at a path or below it (/leads/7), or that hold a word, and '
    'the values in the record of change that hold a word. A definer function, because these rows belong to other users and to the worker.';

grant execute on function app.person_notifications, app.traces_erase to pipeline_admin;
