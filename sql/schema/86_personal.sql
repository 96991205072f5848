-- Erases a person's data outside the records, such as events, stored responses and webhook messages; sql/personal/
-- erases the records. Serving roles have no rights here, so definer functions compare the organization themselves.

set local role pipeline_owner;

grant select (payload), delete on app.outbox to pipeline_lookup;
grant select (organization_id, id, user_id, effect_key, title, body, data, created_at), delete on app.notifications
    to pipeline_lookup;
grant select (organization_id, effect_key), delete on app.emails to pipeline_lookup;
grant select (organization_id, scope, headers, body), update (request_hash, status, headers, body)
    on app.idempotency_keys to pipeline_lookup;
grant select (organization_id, answers), delete on app.capture_drafts to pipeline_lookup;
grant select (organization_id, report), update (report) on app.lead_imports to pipeline_lookup;
grant select (record_type, record_id, status, body, error, answer), update (body, error, answer, started_at)
    on app.webhook_deliveries to pipeline_lookup;

create function app.words_erased(value text, patterns text[]) returns text
    language sql immutable parallel safe
    return regexp_replace(regexp_replace(value, patterns[1], '[erased]', 'g'), patterns[2], '[erased]', 'g');
comment on function app.words_erased is 'A text with every match of two patterns replaced by [erased].';
grant execute on function app.words_erased to pipeline_admin;

create function app.layout_erased(value jsonb, patterns text[]) returns jsonb
    language sql immutable parallel safe
    return (
        select coalesce(jsonb_object_agg(part.key, case jsonb_typeof(part.value)
            when 'string' then to_jsonb(app.words_erased(part.value #>> '{}', patterns)) else part.value end), '{}')
        from jsonb_each(value) as part);
comment on function app.layout_erased is
    'A contract''s layout or own fields, with app.words_erased applied to their texts.';
grant execute on function app.layout_erased to pipeline_admin;

create function app.fields_erased(value jsonb, patterns text[], texts text[]) returns jsonb
    language sql immutable parallel safe
    return app.layout_erased((
        select coalesce(jsonb_object_agg(own.key, own.value), '{}')
        from jsonb_each(value) as own where own.value #>> '{}' <> all (texts)), patterns);
comment on function app.fields_erased is
    'Own fields without the values that are one of these texts, with app.words_erased applied to the others.';
grant execute on function app.fields_erased to pipeline_admin;

create function app.values_erased(value jsonb) returns jsonb
    language sql immutable parallel safe
    return (select jsonb_object_agg(field, jsonb_build_object('old', null, 'new', null))
            from jsonb_object_keys(value) as field);
comment on function app.values_erased is 'The changed fields with null for both values.';

create function app.message_erased(body text, record_id bigint, status text) returns text
    language sql stable parallel safe
    return case when status <> 'delivered' then cast(
        jsonb_set(cast(body as jsonb), '{data}', jsonb_build_object('id', record_id)) as text) end;
comment on function app.message_erased is
    'A webhook message reduced to the record''s id, as for a deleted record; null for a delivered one.';

create function app.tells_of(body bytea, paths text[]) returns boolean
    language sql immutable parallel safe
    return case when position(convert_to('"upserted"', 'UTF8') in body) > 0 then exists (
        select from jsonb_path_query(cast(convert_from(body, 'UTF8') as jsonb), '$.*[*] ? (exists (@.id))') as record
        where case
                when record ? 'disqualify_reason' then '/leads/'
                when record ? 'job_title' then '/contacts/'
                when record ? 'stage_id' then '/deals/'
            end || (record ->> 'id') = any (paths)) end;
comment on function app.tells_of is 'Whether the stored response of a batch has one of these leads, contacts and deals.';
grant execute on function app.values_erased, app.message_erased, app.tells_of to pipeline_lookup;

set local role pipeline_lookup;

create function app.person_notifications(p_leads bigint[], p_invites bigint[])
    returns table (id bigint, title text, body text, created_at timestamptz)
    language sql stable security definer set search_path = app, pg_temp as $$
    select n.id, n.title, n.body, n.created_at from app.notifications n
    where n.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[]))
$$;
comment on function app.person_notifications is
    'The notifications of all users of the current organization about these leads and invites.';

create function app.changes_erase(p_type text, p_record_ids bigint[], p_patterns text[] default null) returns bigint
    language sql security definer set search_path = app, pg_temp as $$
    with told as (
        -- Without started_at, the response to a message in flight is not stored.
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
    'Erases the values in recorded changes and webhook messages of these records, or only values that match a pattern. '
    'Field names and times stay. Returns the number of changes. Index changes_record.';

create function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_requests bigint[], p_paths text[], p_words text[],
    p_sought text[]
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
    -- Before any other lock, because this waits for running events.
    perform pg_advisory_xact_lock(app.outbox_lock(event)) from unnest(v_events) event;
    delete from outbox o where o.organization_id = v_organization and o.id = any(v_events);
    -- The emails of these notifications; their subjects have the contract's name.
    delete from emails e using notifications n
    where n.organization_id = v_organization and n.data ->> 'request_id' = any(p_requests::text[])
        and e.organization_id = v_organization and e.effect_key = n.effect_key || ':' || n.user_id;
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[])
             or n.data ->> 'request_id' = any(p_requests::text[]));
    -- Not deleted: a repeated request must not create the record again.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope in (select 'invite:' || invite from unnest(p_invites) invite)
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0)
             or app.tells_of(k.body, p_paths)
             -- Reports of imports, which have cells that were left out.
             or cardinality(p_leads) > 0 and position(convert_to('"rows_url"', 'UTF8') in k.body) > 0);
    delete from capture_drafts d where d.organization_id = v_organization
        and exists (select from unnest(p_words) word where position(lower(word) in lower(d.answers::text)) > 0);
    -- The cells that an import left out.
    update lead_imports i set report = i.report || '{"warnings": [], "errors": []}'
    where i.organization_id = v_organization and cardinality(p_leads) > 0 and i.report is not null;
    -- Includes earlier deleted records of the person.
    update changes c set changed = app.values_erased(c.changed)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
    update webhook_deliveries d
    set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
    where d.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word
                    where position(lower(word) in lower(concat_ws(' ', d.body, d.answer, d.error))) > 0);
    -- Search words of an export may contain the name.
    update changes c set details = jsonb_set(c.details, '{filter,search}', 'null')
    where c.organization_id = v_organization and c.action = 'exported'
        and exists (select from unnest(p_sought) word,
                        regexp_split_to_table(lower(c.details #>> '{filter,search}'), '\s+') part
                    where part = lower(word) or length(part) > 2 and position(part in lower(word)) > 0);
end
$$;
comment on function app.traces_erase is
    'Deletes the events of these leads, invites and emails, and the notifications of leads, invites and signature '
    'requests. Blanks stored responses about these paths (/leads/7) or with one of the words, and deletes drafts of '
    'public forms with one. Also blanks these words in recorded changes and webhook messages, cells with one or one of '
    'p_sought in reports of imports, and exports'' searches for one of p_sought or a part of it.';

grant execute on function app.person_notifications, app.changes_erase, app.traces_erase to pipeline_admin;
