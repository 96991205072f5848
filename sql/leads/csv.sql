--:name lead_export :many
--:doc The leads that the list's filters leave, as cells of a CSV file; primary key, in its order.
select
    lead.id,
    iso(lead.created_at) as created_at,
    iso(lead.updated_at) as updated_at,
    csv_text(lead.first_name) as first_name, --* lead, !assigned_to
    csv_text(assignee.email) as assigned_to
from leads as lead
left join users as assignee on assignee.id = lead.assigned_to
where
    lead.organization_id is not null
    and lead.status = cast(:status as text) --? status
    and lead.status = any(cast(:statuses as text[])) --? statuses
    and lead.source = cast(:source as text) --? source
    and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
    and lead.assigned_to = any(cast(:assignees as bigint[])) --? assignees
    and lead.created_at >= cast(:created_from as timestamptz) --? created_from
    and lead.created_at < cast(:created_before as timestamptz) --? created_before
    --? updated_since {
    and lead.id in (
        select change.lead_id
        from lead_changes as change
        where change.changed_at >= cast(:updated_since as timestamptz)
    )
    --? }
    --? alternatives {
    and (
        lead.search_text like all(cast(:patterns as text[]))
        or lead.search_text like all(cast(:alternatives as text[]))
    )
    --? }
    and lead.search_text like all(cast(:patterns as text[])) --? patterns, !alternatives
    and lead.tag_text like any(cast(:tags as text[])) --? tags
order by lead.organization_id, lead.id;
