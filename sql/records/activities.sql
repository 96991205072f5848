--:name note_insert :scalar
--:doc Insert a note with its lead's or contract's links; no row without it; primary key.
insert into notes (content, lead_id, contract_id, contact_id, company_id, deal_id, created_by)
select
    cast(:content as text),
    owner.*,
    cast(:created_by as bigint)
from (
    select lead.id as lead_id, cast(null as bigint) as contract_id, lead.contact_id, lead.company_id, lead.deal_id
    from leads as lead
    where lead.id = cast(:lead_id as bigint)
    union all
    select null, contract.id, null, contract.company_id, contract.deal_id
    from contracts as contract
    where contract.id = cast(:contract_id as bigint)
) as owner
returning id;

--:name note_get :one
--:doc A lead's or contract's note; primary key.
select note.*
from note_records as note
where
    note.id = cast(:id as bigint)
    and (note.lead_id = cast(:lead_id as bigint) or note.contract_id = cast(:contract_id as bigint));

--:name note_delete :affected
--:doc Delete a lead's or contract's note; primary key.
delete from notes as note
where
    note.id = cast(:id as bigint)
    and (note.lead_id = cast(:lead_id as bigint) or note.contract_id = cast(:contract_id as bigint));

--:name note_list :one
--:doc A page of a lead's or contract's notes, newest first; notes_lead, notes_contract.
with listed as not materialized (
    select note.*
    from note_records as note
    where
        note.organization_id is not null
        and note.lead_id = cast(:lead_id as bigint) --? lead_id
        and note.contract_id = cast(:contract_id as bigint) --? contract_id
        and note.id > cast(:after_id as bigint) --? after_id
        and note.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from listed) as total, --? !after_id
    (
        select cast(json_agg(entry) as text)
        from (
            select note.*
            from listed as note
            order by
                note.id asc, --? after_id
                note.id desc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as entry
    ) as data
from (
    select lead.id from leads as lead where lead.id = cast(:lead_id as bigint) --? lead_id
    union all --? lead_id, contract_id
    select contract.id from contracts as contract where contract.id = cast(:contract_id as bigint) --? contract_id
) as owner;

--:name task_insert :scalar
--:doc Insert a task; its lead or contract fills missing links; primary key.
insert into tasks (
    title, description, due_date, due_time, priority, assigned_to,
    lead_id,
    contract_id,
    contact_id,
    company_id,
    deal_id,
    created_by
)
select
    :title, :description, :due_date, :due_time, :priority, :assigned_to,
    owner.lead_id,
    owner.contract_id,
    coalesce(cast(:contact_id as bigint), owner.contact_id),
    coalesce(cast(:company_id as bigint), owner.company_id),
    coalesce(cast(:deal_id as bigint), owner.deal_id),
    cast(:created_by as bigint)
from (
    select lead.id as lead_id, cast(null as bigint) as contract_id, lead.contact_id, lead.company_id, lead.deal_id
    from leads as lead
    where lead.id = cast(:lead_id as bigint)
    union all
    select null, contract.id, null, contract.company_id, contract.deal_id
    from contracts as contract
    where contract.id = cast(:contract_id as bigint)
) as owner
returning id;

--:name task_get :one
--:doc A lead's or contract's task; primary key.
select task.*
from task_records as task
where
    task.id = cast(:id as bigint)
    and (task.lead_id = cast(:lead_id as bigint) or task.contract_id = cast(:contract_id as bigint));

--:name task_update :affected
--:doc Replace a task's fields; primary key.
update tasks as task
set
    title = :title,
    description = :description,
    due_date = :due_date,
    due_time = :due_time,
    priority = :priority,
    assigned_to = :assigned_to,
    contact_id = cast(:contact_id as bigint),
    company_id = cast(:company_id as bigint),
    deal_id = cast(:deal_id as bigint)
where
    task.id = cast(:id as bigint)
    and (task.lead_id = cast(:lead_id as bigint) or task.contract_id = cast(:contract_id as bigint));

--:name task_delete :affected
--:doc Delete a lead's or contract's task; primary key.
delete from tasks as task
where
    task.id = cast(:id as bigint)
    and (task.lead_id = cast(:lead_id as bigint) or task.contract_id = cast(:contract_id as bigint));

--:name task_list :one
--:doc A page of a lead's or contract's tasks by id; tasks_lead, tasks_contract.
with listed as not materialized (
    select task.*
    from task_records as task
    where
        task.organization_id is not null
        and task.lead_id = cast(:lead_id as bigint) --? lead_id
        and task.contract_id = cast(:contract_id as bigint) --? contract_id
        and task.id > cast(:after_id as bigint) --? after_id
        and task.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from listed) as total, --? !after_id
    (
        select cast(json_agg(entry) as text)
        from (
            select task.*
            from listed as task
            order by task.id asc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as entry
    ) as data
from (
    select lead.id from leads as lead where lead.id = cast(:lead_id as bigint) --? lead_id
    union all --? lead_id, contract_id
    select contract.id from contracts as contract where contract.id = cast(:contract_id as bigint) --? contract_id
) as owner;
