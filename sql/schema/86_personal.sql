-- What is left of a person beside their records: copies that nobody who serves requests may touch.
--
-- An organization may have to tell a person all that it holds about them, and to erase it. What an administrator may
-- read and delete under row-level security is read and deleted so (sql/personal/). The rest stands here: events, what
-- other users were notified of, answers kept for repeated requests, values in the record of change, messages to webhooks.
-- These functions name the organization themselves.

set local role pipeline_owner;

grant select (payload), delete on app.outbox to pipeline_lookup;
grant select (organization_id, id, user_id, title, body, data, created_at), delete on app.notifications
    to pipeline_lookup;
grant select (organization_id, scope, headers, body), update (request_hash, status, headers, body)
    on app.idempotency_keys to pipeline_lookup;
grant select (record_type, record_id, status, body, error, answer), update (body, error, answer, started_at)
    on app.webhook_deliveries to pipeline_lookup;

create function app.words_erased(value text, patterns text[]) returns text
    language sql immutable parallel safe
    return regexp_replace(regexp_replace(value, patterns[1], '[erased]', 'g'), patterns[2], '[erased]', 'g');
comment on function app.words_erased is 'A text in which [erased] stands for whatever two patterns find.';
grant execute on function app.words_erased to pipeline_admin;

create function app.layout_erased(value jsonb, patterns text[]) returns jsonb
    language sql immutable parallel safe
    return (
        select coalesce(jsonb_object_agg(part.key, case jsonb_typeof(part.value)
            when 'string' then to_jsonb(app.words_erased(part.value #>> '{}', patterns)) else part.value end), '{}')
        from jsonb_each(value) as part);
comment on function app.layout_erased is 'The layout of a contract whose texts are without what two patterns find.';
grant execute on function app.layout_erased to pipeline_admin;

create function app.values_erased(value jsonb) returns jsonb
    language sql immutable parallel safe
    return (select jsonb_object_agg(field, jsonb_build_object('old', null, 'new', null))
            from jsonb_object_keys(value) as field);
comment on function app.values_erased is 'The fields of a change without what stood in them before and after.';

create function app.message_erased(body text, record_id bigint, status text) returns text
    language sql stable parallel safe
    return case when status <> 'delivered' then cast(
        jsonb_set(cast(body as jsonb), '{data}', jsonb_build_object('id', record_id)) as text) end;
comment on function app.message_erased is
    'A message to a webhook as one about a deleted record: only its id. Nothing of one that its receiver has taken.';
grant execute on function app.values_erased, app.message_erased to pipeline_lookup;

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

create function app.changes_erase(p_type text, p_record_ids bigint[], p_patterns text[] default null) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with told as (
        -- A message that is being sent is one no longer: what its receiver answers is not kept.
        update app.webhook_deliveries d
        set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
        where d.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and d.record_type = p_type and d.record_id = any (p_record_ids)
          and (p_patterns is null or d.body ~ any (p_patterns) or d.answer ~ any (p_patterns)
               or d.error ~ any (p_patterns))),
    erased as (
        update app.changes c set changed = app.values_erased(c.changed)
        where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and c.type = p_type and c.record_id = any (p_record_ids) and c.changed <> '{}'
          and (p_patterns is null or cast(c.changed as text) ~ any (p_patterns))
        returning 1)
    select count(*) from erased
$$;
comment on function app.changes_erase is
    'Erase the values in the changes of the current organization''s records of a type, and in the messages to webhooks '
    'about them, of all or of those that have a pattern: what was changed, and when, and who was told, stays. Answers '
    'the number of changes. Index changes_record.';

create function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_paths text[], p_words text[], p_sought text[]
) returns void
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_events bigint[] := array(
        select o.id from outbox o where o.organization_id = v_organization
            and (o.payload ->> 'lead_id' = any(p_leads::text[]) or o.payload ->> 'invite_id' = any(p_invites::text[])
                 or o.payload ->> 'email_id' = any(p_emails::text[]))
        order by o.id);
begin
    -- First, and so before any other lock: an event that is being delivered is waited for.
    perform pg_advisory_xact_lock(app.outbox_lock(event)) from unnest(v_events) event;
    delete from outbox o where o.organization_id = v_organization and o.id = any(v_events);
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[]));
    -- Blanked and not deleted: a client that asks again must not make the record anew.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope in (select 'invite:' || invite from unnest(p_invites) invite)
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0));
    -- Records of the person that were deleted long ago have left values, too.
    update changes c set changed = app.values_erased(c.changed)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
    update webhook_deliveries d
    set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
    where d.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word
                    where position(lower(word) in lower(concat_ws(' ', d.body, d.answer, d.error))) > 0);
    -- Who has exported what they found under the name, or a part of it, has left that.
    update changes c set details = jsonb_set(c.details, '{filter,search}', 'null')
    where c.organization_id = v_organization and c.action = 'exported'
        and exists (select from unnest(p_sought) word,
                        regexp_split_to_table(lower(c.details #>> '{filter,search}'), '\s+') part
                    where part = lower(word) or length(part) > 2 and position(part in lower(word)) > 0);
end
$$;
comment on function app.traces_erase is
    'Delete the events and notifications of some leads, invites and emails of the current organization; blank the '
    'answers kept for repeated requests that made what stands at a path or below it (/leads/7), or that hold a word, and '
    'the values in the record of change and the messages to webhooks that hold a word; and what exports searched for, '
    'if it was in p_sought or a part of it. A definer function, because these rows belong to other '
    'users and to the worker.';

grant execute on function app.person_notifications, app.changes_erase, app.traces_erase to pipeline_admin;
