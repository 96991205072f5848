--:name lead_batch_lock :many
--:doc Lock leads by ids or external ids; returns the ids in order; primary key, leads_external_id.
select lead.id
from leads as lead
where lead.id = any(cast(:ids as bigint[])) or lead.external_id = any(cast(:external_ids as text[]))
order by lead.id
for update;

--:name lead_batch_insert :many
--:doc Insert leads from a JSON array; returns their ids, which rise in its order.
insert into leads (
    first_name, --* lead, !status
    status,
    qualified_at,
    disqualified_at
)
select
    given.first_name, --* lead, !status
    coalesce(given.status, 'new'),
    case when given.status = 'qualified' then now() end,
    case when given.status = 'disqualified' then now() end
from json_populate_recordset(cast(null as leads), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name lead_batch_update :affected
--:doc Replace the fields of leads from a JSON array with ids, as lead_update does; primary key.
update leads as lead
set
    first_name = given.first_name, --* lead, !status
    status = coalesce(given.status, lead.status),
    qualified_at = case
        when given.status = 'qualified' and lead.status <> 'qualified' then now()
        else lead.qualified_at
    end,
    disqualified_at = case
        when coalesce(given.status, lead.status) = 'disqualified' then coalesce(lead.disqualified_at, now())
    end,
    disqualify_reason = case
        when coalesce(given.status, lead.status) = 'disqualified' then lead.disqualify_reason
    end
from json_populate_recordset(cast(null as leads), cast(:rows as json)) as given
where lead.id = given.id;

--:name lead_batch_delete :affected
--:doc Delete leads; primary key.
delete from leads
where id = any(cast(:ids as bigint[]));
