--:name lead_days :one
--:doc The limits of a filter's days in the organization's zone: the list is planned with their values; primary key.
select
    cast(cast(cast(:date_from as date) as timestamp) at time zone organization.time_zone as text) as date_from,
    cast(cast(cast(:date_to as date) + 1 as timestamp) at time zone organization.time_zone as text) as date_to
from organizations as organization;

--:name lead_list :one
--:doc A page of leads with the total; indexes for filters and orders of its columns, leads_fields, leads_search_trigrams.
with
hit as materialized (select search_ids('leads', cast(:search as text[]), cast(:tag as text[])) as ids), --? search|tag
filtered as not materialized (
    select lead.*
    from leads as lead
    where
        lead.organization_id is not null
        and lead.status = any(cast(:status as text[])) --? status
        and lead.source_key = sort_key(cast(:source as text)) --? source
        and lead.external_id = cast(:external_id as text) --? external_id
        and lead.email_key = email_key(cast(:email as text)) --? email
        and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
        and lead.assigned_to is null --? scope=none
        and cast(:user_id as bigint) = lead.assigned_to --? scope=me
        and lead.assigned_to = any(cast((select team_of(cast(:user_id as bigint))) as bigint[])) --? scope=team
        and lead.created_at >= cast(:date_from as timestamptz) --? date_from
        and lead.created_at < cast(:date_to as timestamptz) --? date_to
        and lead.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and lead.id = any(cast((select hit.ids from hit) as bigint[])) --? search|tag
        and cast(:tag as text[]) is not null --? tag
        and coalesce(lead.fields @> cast(:fields as jsonb), false) --? fields
        and coalesce(lead.fields @@ cast(:bounds as jsonpath), false) --? bounds
        and lead.id > cast(:after_id as bigint) --? after_id
        and lead.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        cast(:total as bigint), --? total
        (select count(*) from filtered), --? filtered, !after_id, !total
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'leads'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select lead.id
                from filtered as lead
                left join users as assignee on lead.assigned_to = assignee.id --? sort_by=assigned_to_name
                order by
                    lead.organization_id
                    , lead.id asc --? after_id
                    , lead.name_key asc, lead.id asc --/ sort_by=name
                    , lead.email_key asc nulls last, lead.id asc --/ sort_by=email
                    , lead.company_key asc nulls last, lead.id asc --/ sort_by=company_name
                    , lead.status asc, lead.id asc --/ sort_by=status
                    , lead.source_key asc, lead.id asc --/ sort_by=source
                    , assignee.name_key asc nulls last, lead.id asc --/ sort_by=assigned_to_name
                    , lead.created_at asc, lead.id asc --/ sort_by=created_at
                    , lead.updated_at asc, lead.id asc --/ sort_by=updated_at
                    , sort_key(lead.fields ->> cast(:sort_field as text)) collate "C" asc nulls last, lead.id asc --/ sort_by=own_text
                    , lead.fields -> cast(:sort_field as text) asc nulls last, lead.id asc --/ sort_by=own_value
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join lead_records as record on record.id = page.id
    ) as data;

--:name lead_export :many
--:doc The filtered leads as CSV cells; primary key, in its order.
select
    lead.id,
    iso(lead.created_at) as created_at,
    iso(lead.updated_at) as updated_at,
    csv_text(lead.first_name) as first_name,
    csv_text(lead.last_name) as last_name,
    csv_text(domain_shown(lead.email)) as email,
    csv_text(lead.phone) as phone,
    csv_text(lead.company) as company,
    csv_text(lead.job_title) as job_title,
    csv_text(lead.source) as source,
    csv_text(lead.status) as status,
    csv_text(lead.notes) as notes,
    csv_text(lead.tags) as tags,
    csv_text(assignee.email) as assigned_to,
    csv_text(lead.external_id) as external_id,
    lead.fields
from leads as lead
left join users as assignee on assignee.id = lead.assigned_to
where
    lead.organization_id is not null
    and lead.status = any(cast(:status as text[])) --? status
    and lead.source_key = sort_key(cast(:source as text)) --? source
    and lead.external_id = cast(:external_id as text) --? external_id
    and lead.email_key = email_key(cast(:email as text)) --? email
    and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
    and lead.assigned_to is null --? scope=none
    and cast(:user_id as bigint) = lead.assigned_to --? scope=me
    and lead.assigned_to = any(cast((select team_of(cast(:user_id as bigint))) as bigint[])) --? scope=team
    and lead.created_at >= cast(:date_from as timestamptz) --? date_from
    and lead.created_at < cast(:date_to as timestamptz) --? date_to
    and lead.updated_at >= cast(:updated_since as timestamptz) --? updated_since
    and lead.id = any(cast((select search_ids('leads', cast(:search as text[]), cast(:tag as text[]))) as bigint[])) --? search|tag
    and cast(:tag as text[]) is not null --? tag
    and coalesce(lead.fields @> cast(:fields as jsonb), false) --? fields
    and coalesce(lead.fields @@ cast(:bounds as jsonpath), false) --? bounds
    and lead.id = any(cast(:ids as bigint[])) --? ids
order by lead.organization_id, lead.id;
