--:name lead_get :one
--:doc One lead with a form's hidden fields, newest notes and tasks; primary key, interview_invites_lead, notes_lead, tasks_lead.
select
    lead.*,
    coalesce(
        (
            select invite.hidden_fields
            from interview_invites as invite
            where invite.lead_id = lead.id and invite.status = 'submitted' and invite.hidden_fields <> '{}'
            order by invite.origin = 'capture' desc, invite.id desc
            limit 1
        ),
        '{}'
    ) as hidden_fields,
    coalesce(
        (
            select json_agg(entry order by entry.id)
            from (
                select note.*
                from note_records as note
                where note.lead_id = lead.id
                order by note.id desc
                limit 100
            ) as entry
        ),
        '[]'
    ) as note_entries,
    (select count(*) from notes as note where note.lead_id = lead.id) as note_count,
    coalesce(
        (
            select json_agg(entry order by entry.id)
            from (
                select task.*
                from task_records as task
                where task.lead_id = lead.id
                order by task.id desc
                limit 100
            ) as entry
        ),
        '[]'
    ) as tasks,
    (select count(*) from tasks as task where task.lead_id = lead.id) as task_count
from lead_records as lead
where lead.id = cast(:id as bigint);

--:name lead_batch_lock :many
--:doc Lock leads by ids or external ids; returns the ids in order; primary key, leads_external_id.
select lead.id
from leads as lead
where lead.id = any(cast(:ids as bigint[])) or lead.external_id = any(cast(:external_ids as text[]))
order by lead.id
for update;

--:name lead_insert :many
--:doc Insert leads from a JSON array; returns their ids, which rise in its order.
insert into leads (
    first_name, last_name, email, phone, company, job_title, source, notes, tags, assigned_to, external_id,
    fields,
    status,
    qualified_at,
    disqualified_at
)
select
    given.first_name, given.last_name, given.email, given.phone, given.company, given.job_title, given.source,
    given.notes, given.tags, given.assigned_to, given.external_id,
    coalesce(given.fields, '{}'),
    coalesce(given.status, 'new'),
    case when given.status = 'qualified' then now() end,
    case when given.status = 'disqualified' then now() end
from json_populate_recordset(cast(null as leads), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name lead_update :affected
--:doc Replace the fields of leads from a JSON array with ids; primary key.
update leads as lead
set
    first_name = given.first_name,
    last_name = given.last_name,
    email = given.email,
    phone = given.phone,
    company = given.company,
    job_title = given.job_title,
    source = given.source,
    notes = given.notes,
    tags = given.tags,
    assigned_to = given.assigned_to,
    external_id = given.external_id,
    fields = coalesce(given.fields, '{}'),
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

--:name lead_delete :affected
--:doc Delete leads; primary key.
delete from leads
where id = any(cast(:ids as bigint[]));

--:name lead_disqualify :affected
--:doc Disqualify a lead with a reason; keeps the first time.
update leads as lead
set
    status = 'disqualified',
    disqualify_reason = cast(:reason as text),
    disqualified_at = case when lead.status = 'disqualified' then coalesce(lead.disqualified_at, now()) else now() end
where lead.id = cast(:id as bigint);

--:name lead_email_list :one
--:doc A page of a lead's emails and its address's invites and signatures, newest first; emails_lead, emails_to.
-- Other emails to the address may be a colleague's notifications.
with linked as not materialized (
    select email.*
    from emails as email
    where
        email.id in (
            select own.id
            from emails as own
            where own.lead_id = cast(:id as bigint)
            union
            select sent.id
            from leads as lead
            join emails as sent on sent.to_email_key = lead.email_key
            where
                lead.id = cast(:id as bigint)
                and (sent.invite_part <> 'notification' or sent.signer_id is not null)
        )
        and email.id > cast(:after_id as bigint) --? after_id
        and email.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from linked) as total, --? !after_id
    (
        select cast(json_agg(entry) as text)
        from (
            select
                email.id,
                email.direction,
                email.subject,
                domain_shown(email.from_email) as from_email,
                domain_shown(email.to_email) as to_email,
                email.status,
                iso(email.sent_at) as sent_at,
                iso(email.created_at) as created_at
            from linked as email
            order by
                email.id asc, --? after_id
                email.created_at desc, email.id desc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as entry
    ) as data
from leads as lead
where lead.id = cast(:id as bigint);
