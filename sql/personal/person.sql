--:name person_find :one
--:doc Whose lead this is: all records of the person, found by the lead, its contact and their email addresses; an index for each.
with given as materialized (
    select lead.id, lead.name, lead.email, lead.email_key, lead.contact_id, lead.deal_id, lead.company_id
    from leads as lead
    where lead.id = cast(:id as bigint)
),

address as materialized (
    select given.email_key
    from given
    where given.email_key is not null
    union
    select contact.email_key
    from given
    join contacts as contact on contact.id = given.contact_id
    where contact.email_key is not null
),

person as materialized (
    select given.contact_id as id
    from given
    where given.contact_id is not null
    union
    select contact.id
    from address
    join contacts as contact on contact.email_key = address.email_key
),

lead as materialized (
    select given.id, given.deal_id, given.company_id from given
    union
    select other.id, other.deal_id, other.company_id
    from address
    join leads as other on other.email_key = address.email_key
    union
    select other.id, other.deal_id, other.company_id
    from person
    join leads as other on other.contact_id = person.id
),

invite as materialized (
    select asked.id
    from lead
    join interview_invites as asked on asked.lead_id = lead.id
    union
    select asked.id
    from address
    join interview_invites as asked on asked.email_key = address.email_key
),

deal as materialized (
    select made.id
    from person
    join deals as made on made.contact_id = person.id
    union
    select lead.deal_id from lead where lead.deal_id is not null
),

company as (
    select known.company_id as id
    from person
    join contacts as known on known.id = person.id
    union
    select lead.company_id from lead
),

-- An email with a link to an account is its user's, whatever else is known under the address.
email as (
    select sent.id
    from lead
    join emails as sent on sent.lead_id = lead.id
    union
    select sent.id
    from person
    join emails as sent on sent.contact_id = person.id
    union
    select sent.id
    from invite
    join emails as sent on sent.invite_id = invite.id
    union
    select sent.id
    from address
    join emails as sent on sent.to_email_key = address.email_key and sent.link_id is null
)

select
    given.id,
    given.name,
    given.email,
    array(select address.email_key from address order by 1) as addresses,
    array(select lead.id from lead order by 1) as leads,
    array(select person.id from person order by 1) as contacts,
    array(select invite.id from invite order by 1) as invites,
    array(select email.id from email order by 1) as emails,
    array(select deal.id from deal order by 1) as deals,
    array(select company.id from company where company.id is not null order by 1) as companies
from given;

--:name person_words :one
--:doc What the person is called, reached by and employed as, as it stands in these records; primary keys.
with record as (
    select lead.name, lead.email, lead.phone, lead.job_title
    from leads as lead
    where lead.id = any(cast(:leads as bigint[]))
    union all
    select contact.name, contact.email, contact.phone, contact.job_title
    from contacts as contact
    where contact.id = any(cast(:contacts as bigint[]))
    union all
    select invite.recipient_name, invite.recipient_email, null, null
    from interview_invites as invite
    where invite.id = any(cast(:invites as bigint[]))
)

select
    array(select distinct record.name from record where length(record.name) > 1) as names,
    array(select distinct record.email from record where record.email is not null) as emails,
    array(select distinct record.phone from record where record.phone is not null) as phones,
    array(select distinct record.job_title from record where length(record.job_title) > 1) as titles;

--:name person_data :many
--:doc All that is held about a person, a row of JSON for each record, in the order of the file; primary keys, files_invite, notes_lead, tasks_lead, contracts_deal, changes_record.
select told.section, cast(told.record as text) as record
from (
    select 1 as place, 'leads' as section, lead.id, to_json(lead) as record
    from lead_records as lead
    where lead.id = any(cast(:leads as bigint[]))
    union all
    select 2, 'contacts', contact.id, to_json(contact)
    from contact_records as contact
    where contact.id = any(cast(:contacts as bigint[]))
    union all
    select 3, 'interviews', asked.id, to_json(asked)
    from (
        select
            invite.id,
            version.name as interview,
            invite.origin,
            invite_status(invite.status, invite.expires_at) as status,
            invite.recipient_name,
            invite.recipient_email,
            invite.personal_note,
            invite.language,
            iso(invite.created_at) as created_at,
            iso(invite.sent_at) as sent_at,
            iso(invite.reminded_at) as reminded_at,
            iso(invite.reminders_declined_at) as reminders_declined_at,
            iso(invite.opened_at) as opened_at,
            iso(invite.started_at) as started_at,
            iso(invite.submitted_at) as submitted_at,
            invite.answers,
            invite.consents,
            invite.hidden_fields,
            coalesce(
                (
                    select jsonb_object_agg(question.value ->> 'key', question.value ->> 'label')
                    from jsonb_array_elements(version.questions) as question
                    where invite.answers ? (question.value ->> 'key')
                ),
                '{}'
            ) as labels,
            coalesce(invite.rep_flags, '[]') as rep_flags
        from interview_invites as invite
        join interview_template_versions as version on version.id = invite.template_version_id
        where invite.id = any(cast(:invites as bigint[]))
    ) as asked
    union all
    select 4, 'files', uploaded.id, to_json(uploaded)
    from (
        select
            file.id,
            file.invite_id as interview_id,
            file.filename,
            file.content_type,
            file.size,
            file.sha256,
            iso(file.created_at) as created_at
        from files as file
        where file.invite_id = any(cast(:invites as bigint[]))
    ) as uploaded
    union all
    select 5, 'notes', note.id, to_json(note)
    from note_records as note
    where
        note.lead_id = any(cast(:leads as bigint[]))
        or note.contact_id = any(cast(:contacts as bigint[]))
    union all
    select 6, 'tasks', task.id, to_json(task)
    from task_records as task
    where
        task.lead_id = any(cast(:leads as bigint[]))
        or task.contact_id = any(cast(:contacts as bigint[]))
    union all
    select 7, 'emails', letter.id, to_json(letter)
    from (
        select
            email.id,
            email.direction,
            email.status,
            email.from_email,
            email.to_email,
            email.to_name,
            email.subject,
            email.body_text as text,
            iso(email.sent_at) as sent_at,
            iso(email.created_at) as created_at
        from emails as email
        where email.id = any(cast(:emails as bigint[]))
    ) as letter
    union all
    select 8, 'notifications', notice.id, to_json(notice)
    from (
        select notification.id, notification.title, notification.body, iso(notification.created_at) as created_at
        from person_notifications(cast(:leads as bigint[]), cast(:invites as bigint[])) as notification
    ) as notice
    union all
    select 9, 'deals', deal.id, json_build_object('id', deal.id, 'title', deal.title)
    from deals as deal
    where deal.id = any(cast(:deals as bigint[]))
    union all
    select 10, 'contracts', known.id, to_json(known)
    from (
        select contract.id, contract.contract_number, contract.name, contract.status
        from contract_records as contract
        where contract.deal_id = any(cast(:deals as bigint[]))
    ) as known
    union all
    select
        11,
        'changes',
        change.id,
        json_build_object(
            'type', change.type,
            'record_id', change.record_id,
            'action', change.action,
            'at', iso(change.at),
            'changed', change.changed
        )
    from changes as change
    where
        (change.type = 'leads' and change.record_id = any(cast(:leads as bigint[])))
        or (change.type = 'contacts' and change.record_id = any(cast(:contacts as bigint[])))
        or (change.type = 'interview-invites' and change.record_id = any(cast(:invites as bigint[])))
) as told
order by told.place, told.id;

--:name person_lock :one
--:doc Keep a person's records from everybody else until the end of the transaction; primary keys.
with lead as (
    select from leads as known where known.id = any(cast(:leads as bigint[])) order by known.id for update
),

contact as (
    select from contacts as known where known.id = any(cast(:contacts as bigint[])) order by known.id for update
),

invite as (
    select from interview_invites as known where known.id = any(cast(:invites as bigint[])) order by known.id for update
)

select
    (select count(*) from lead) as leads,
    (select count(*) from contact) as contacts,
    (select count(*) from invite) as invites;

--:name person_following_lock :many
--:doc Keep messages to webhooks from being made until the end of the transaction: one that has read a record would be written after its end; primary key.
select following.webhook_id
from webhook_states as following
order by following.webhook_id
-- Whoever notes what became of a message may go on; the order of locks is another one there.
for key share;

--:name traces_erase :one
--:doc Erase what serving roles may not touch, of these records or with these words: events, notifications, messages to webhooks, answers kept for repetition, filters of exports.
select
    app.traces_erase(
        cast(:leads as bigint[]),
        cast(:invites as bigint[]),
        cast(:emails as bigint[]),
        cast(:paths as text[]),
        cast(:words as text[]),
        cast(:sought as text[])
    ) as traces;

--:name changes_erase :one
--:doc Erase the values in the record of change and in messages to webhooks: of a person's own records, and in others those that hold their words; index changes_record.
select
    app.changes_erase('leads', cast(:leads as bigint[])) as leads,
    app.changes_erase('contacts', cast(:contacts as bigint[])) as contacts,
    app.changes_erase('interview-invites', cast(:invites as bigint[])) as invites,
    app.changes_erase('notes', cast(:notes as bigint[])) as notes,
    app.changes_erase('tasks', cast(:tasks as bigint[])) as tasks,
    app.changes_erase('companies', cast(:companies as bigint[]), cast(:patterns as text[])) as companies,
    app.changes_erase('deals', cast(:deals as bigint[]), cast(:patterns as text[])) as deals,
    app.changes_erase(
        'quotes',
        array(select quote.id from quotes as quote where quote.deal_id = any(cast(:deals as bigint[]))),
        cast(:patterns as text[])
    ) as quotes,
    app.changes_erase(
        'contracts',
        array(
            select contract.id
            from contracts as contract
            where
                contract.deal_id = any(cast(:deals as bigint[]))
                or contract.company_id = any(cast(:companies as bigint[]))
        ),
        cast(:patterns as text[])
    ) as contracts;

--:name invite_emails :many
--:doc The ids of the emails of an invite; index emails_invite.
select email.id
from emails as email
where email.invite_id = cast(:id as bigint);

--:name person_emails_delete :affected
--:doc Delete emails; primary key.
delete from emails
where id = any(cast(:emails as bigint[]));

--:name person_invites_delete :affected
--:doc Delete invites with their answers; a configuration that was made of one stays, and no longer names it; primary keys.
with released as (
    update configurations
    set invite_id = null
    where invite_id = any(cast(:invites as bigint[]))
)

delete from interview_invites
where id = any(cast(:invites as bigint[]));

--:name person_notes_delete :many
--:doc Delete, and answer the ids of, the notes on a person's leads, and those that name a contact; indexes notes_lead and notes_contact.
delete from notes
where lead_id = any(cast(:leads as bigint[])) or contact_id = any(cast(:contacts as bigint[]))
returning id;

--:name person_tasks_delete :many
--:doc Delete, and answer the ids of, the tasks of a person's leads, and those that name a contact; indexes tasks_lead and tasks_contact.
delete from tasks
where lead_id = any(cast(:leads as bigint[])) or contact_id = any(cast(:contacts as bigint[]))
returning id;

--:name person_leads_delete :affected
--:doc Delete leads; primary key.
delete from leads
where id = any(cast(:leads as bigint[]));

--:name person_contacts_delete :affected
--:doc Delete contacts; primary key.
delete from contacts
where id = any(cast(:contacts as bigint[]));

--:name person_deals_release :affected
--:doc Deals go on without the contact, and without the person's words in their titles; primary key.
update deals
set
    contact_id = case when contact_id = any(cast(:contacts as bigint[])) then null else contact_id end,
    title = left(words_erased(title, cast(:patterns as text[])), 255)
where id = any(cast(:deals as bigint[]));

--:name person_quotes_blank :affected
--:doc Take the person's words out of the remarks on the quotes of their deals; index quotes_deal.
update quotes
set
    notes = words_erased(notes, cast(:patterns as text[])),
    payment_terms = words_erased(payment_terms, cast(:patterns as text[]))
where
    deal_id = any(cast(:deals as bigint[]))
    and (notes ~ any(cast(:patterns as text[])) or payment_terms ~ any(cast(:patterns as text[])));

--:name person_companies_blank :affected
--:doc Take the person's address and telephone number out of the companies that they belong to; primary key.
update companies
set
    email = case when email_key(email) = any(cast(:addresses as text[])) then null else email end,
    phone = case when phone = any(cast(:phones as text[])) then null else phone end
where
    id = any(cast(:companies as bigint[]))
    and (email_key(email) = any(cast(:addresses as text[])) or phone = any(cast(:phones as text[])));

--:name person_contracts :many
--:doc Contracts of a person's deals or with their words: whether they have them, and whether they are signed; contracts_deal, contracts_company.
with known as materialized (
    select
        contract.id,
        contract.deal_id = any(cast(:deals as bigint[])) as theirs,
        concat_ws(' ', contract.name, contract.content, contract.layout) ~ any(cast(:patterns as text[]))
        or exists (
            select
            from contract_revisions as former
            where former.contract_id = contract.id and former.content ~ any(cast(:patterns as text[]))
        ) as names_them
    from contracts as contract
    where
        contract.deal_id = any(cast(:deals as bigint[]))
        or contract.company_id = any(cast(:companies as bigint[]))
)

select
    contract.id,
    contract.contract_number,
    contract.name,
    contract.status,
    known.names_them,
    -- What was in force, or is signed in a file that is kept.
    contract.status in ('executed', 'expired', 'terminated')
    or exists (
        select
        from contract_documents as document
        where document.contract_id = contract.id and document.kind = 'executed'
    ) as signed
from known
join contract_records as contract on contract.id = known.id
where known.theirs or known.names_them
order by contract.id;

--:name person_contracts_blank :affected
--:doc Take the person's words out of contracts that nobody has signed, as a new revision; primary key.
update contracts
set
    name = left(words_erased(name, cast(:patterns as text[])), 600),
    content = words_erased(content, cast(:patterns as text[])),
    layout = layout_erased(layout, cast(:patterns as text[])),
    revision = revision + 1
where id = any(cast(:contracts as bigint[]));

--:name person_revisions_blank :affected
--:doc Take the person's words out of the former texts of contracts; primary key.
update contract_revisions
set content = words_erased(content, cast(:patterns as text[]))
where contract_id = any(cast(:contracts as bigint[]));

--:name person_documents_delete :many
--:doc Forget what was rendered of contracts, of every revision; answers the ids of the files; index contract_documents_contract.
delete from contract_documents
where contract_id = any(cast(:contracts as bigint[])) and kind <> 'executed'
returning file_id as id;
