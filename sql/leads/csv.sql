--:name lead_export :many
--:doc The filtered leads as CSV cells; primary key, in its order.
select
    lead.id,
    iso(lead.created_at) as created_at,
    iso(lead.updated_at) as updated_at,
    csv_text(lead.first_name) as first_name, --* lead, !assigned_to, !external_id
    csv_text(assignee.email) as assigned_to,
    csv_text(lead.external_id) as external_id
from leads as lead
left join users as assignee on assignee.id = lead.assigned_to
where
    lead.organization_id is not null
    and lead.status = any(cast(:status as text[])) --? status
    and lead.source = cast(:source as text) --? source
    and lead.external_id = cast(:external_id as text) --? external_id
    and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
    and lead.assigned_to = cast(:user_id as bigint) --? scope=me
    and lead.assigned_to = any(cast((select team_of(cast(:user_id as bigint))) as bigint[])) --? scope=team
    and lead.created_at >= cast(:date_from as timestamptz) --? date_from
    and lead.created_at < cast(:date_to as timestamptz) --? date_to
    and lead.updated_at >= cast(:updated_since as timestamptz) --? updated_since
    and lead.id = any(cast((select search_ids('leads', cast(:search as text[]), cast(:tag as text[]))) as bigint[])) --? search|tag
order by lead.organization_id, lead.id;
