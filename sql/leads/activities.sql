--:name lead_note_insert :one
--:doc A new note on a lead, with the links that the lead has; no row without the lead.
insert into notes (content, lead_id, contact_id, company_id, deal_id, created_by)
select
    cast(:content as text),
    lead.id,
    lead.contact_id,
    lead.company_id,
    lead.deal_id,
    cast(:created_by as bigint)
from leads as lead
where lead.id = cast(:lead_id as bigint)
returning
    id,
    organization_id,
    content,
    lead_id,
    contact_id,
    company_id,
    deal_id,
    created_by,
    iso(created_at) as created_at,
    iso(updated_at) as updated_at;

--:name lead_note_get :one
--:doc A note of a lead; primary key.
select
    note.id,
    note.organization_id,
    note.content,
    note.lead_id,
    note.contact_id,
    note.company_id,
    note.deal_id,
    note.created_by,
    iso(note.created_at) as created_at,
    iso(note.updated_at) as updated_at
from notes as note
where note.id = cast(:id as bigint) and note.lead_id = cast(:lead_id as bigint);

--:name lead_note_delete :affected
--:doc Delete a note of a lead; primary key.
delete from notes as note
where note.id = cast(:id as bigint) and note.lead_id = cast(:lead_id as bigint);

--:name lead_task_list :one
--:doc The tasks of a lead by id; no row without the lead; index tasks_lead.
select
    coalesce(
        (
            select json_agg(entry order by entry.id)
            from (
                select
                    task.id,
                    task.organization_id,
                    task.title,
                    task.description,
                    task.due_date,
                    task.due_time,
                    task.priority,
                    task.assigned_to,
                    task.lead_id,
                    task.contact_id,
                    task.company_id,
                    task.deal_id,
                    task.created_by,
                    iso(task.created_at) as created_at,
                    iso(task.updated_at) as updated_at
                from tasks as task
                where task.lead_id = lead.id
            ) as entry
        ),
        '[]'
    ) as data
from leads as lead
where lead.id = cast(:lead_id as bigint);

--:name lead_task_get :one
--:doc A task of a lead; primary key.
select
    task.id,
    task.organization_id,
    task.title,
    task.description,
    task.due_date,
    task.due_time,
    task.priority,
    task.assigned_to,
    task.lead_id,
    task.contact_id,
    task.company_id,
    task.deal_id,
    task.created_by,
    iso(task.created_at) as created_at,
    iso(task.updated_at) as updated_at
from tasks as task
where task.id = cast(:id as bigint) and task.lead_id = cast(:lead_id as bigint);

--:name lead_task_insert :one
--:doc A new task on a lead; no row without the lead.
insert into tasks (
    title, description, due_date, due_time, priority, assigned_to, lead_id, contact_id, company_id, deal_id, created_by
)
select
    cast(:title as text),
    cast(:description as text),
    cast(:due_date as date),
    cast(:due_time as text),
    cast(:priority as text),
    cast(:assigned_to as bigint),
    lead.id,
    cast(:contact_id as bigint),
    cast(:company_id as bigint),
    cast(:deal_id as bigint),
    cast(:created_by as bigint)
from leads as lead
where lead.id = cast(:lead_id as bigint)
returning
    id,
    organization_id,
    title,
    description,
    due_date,
    due_time,
    priority,
    assigned_to,
    lead_id,
    contact_id,
    company_id,
    deal_id,
    created_by,
    iso(created_at) as created_at,
    iso(updated_at) as updated_at;

--:name lead_task_update :one
--:doc Replace the fields of a lead's task; primary key.
update tasks as task
set
    title = :title,
    description = :description,
    due_date = cast(:due_date as date),
    due_time = :due_time,
    priority = :priority,
    assigned_to = cast(:assigned_to as bigint),
    contact_id = cast(:contact_id as bigint),
    company_id = cast(:company_id as bigint),
    deal_id = cast(:deal_id as bigint)
where task.id = cast(:id as bigint) and task.lead_id = cast(:lead_id as bigint)
returning
    task.id,
    task.organization_id,
    task.title,
    task.description,
    task.due_date,
    task.due_time,
    task.priority,
    task.assigned_to,
    task.lead_id,
    task.contact_id,
    task.company_id,
    task.deal_id,
    task.created_by,
    iso(task.created_at) as created_at,
    iso(task.updated_at) as updated_at;

--:name lead_task_delete :affected
--:doc Delete a task of a lead; primary key.
delete from tasks as task
where task.id = cast(:id as bigint) and task.lead_id = cast(:lead_id as bigint);
