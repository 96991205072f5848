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
