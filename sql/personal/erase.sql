--:name traces_erase :one
--:doc Erase traces of records and words in events, notifications, webhook messages, stored responses and exports' filters.
select
    app.traces_erase(
        cast(:leads as bigint[]),
        cast(:invites as bigint[]),
        cast(:emails as bigint[]),
        cast(:requests as bigint[]),
        cast(:paths as text[]),
        cast(:words as text[]),
        cast(:sought as text[])
    ) as traces;

--:name changes_erase :affected
--:doc Erase all or matching values in these records' changes and webhook messages; changes_record.
select changes_erase(record.type, record.ids, record.patterns)
from (
    values
    ('leads', cast(:leads as bigint[]), cast(null as text[])),
    ('contacts', cast(:contacts as bigint[]), null),
    ('interview-invites', cast(:invites as bigint[]), null),
    ('notes', cast(:notes as bigint[]), null),
    ('tasks', cast(:tasks as bigint[]), null),
    ('companies', cast(:companies as bigint[]), cast(:patterns as text[])),
    ('deals', cast(:deals as bigint[]), cast(:patterns as text[])),
    ('signature-requests', cast(:requests as bigint[]), cast(:patterns as text[])),
    (
        'quotes',
        array(select quote.id from quotes as quote where quote.deal_id = any(cast(:deals as bigint[]))),
        cast(:patterns as text[])
    ),
    (
        'contracts',
        array(
            select contract.id
            from contracts as contract
            where
                contract.deal_id = any(cast(:deals as bigint[]))
                or contract.company_id = any(cast(:companies as bigint[]))
                or contract.id = any(
                    array(
                        select request.contract_id
                        from signature_requests as request
                        where request.id = any(cast(:requests as bigint[]))
                    )
                )
        ),
        cast(:patterns as text[])
    )
) as record (type, ids, patterns);

--:name invite_emails :many
--:doc The ids of an invite's emails; emails_invite.
select email.id
from emails as email
where email.invite_id = cast(:id as bigint);

--:name person_emails_delete :affected
--:doc Delete emails; primary key.
delete from emails
where id = any(cast(:emails as bigint[]));

--:name person_invites_delete :affected
--:doc Delete invites with their answers; configurations stay without the link; primary keys.
with released as (
    update configurations
    set invite_id = null
    where invite_id = any(cast(:invites as bigint[]))
)

delete from interview_invites
where id = any(cast(:invites as bigint[]));

--:name person_notes_delete :many
--:doc Delete the notes of leads and contacts; returns their ids; notes_lead and notes_contact.
delete from notes
where lead_id = any(cast(:leads as bigint[])) or contact_id = any(cast(:contacts as bigint[]))
returning id;

--:name person_tasks_delete :many
--:doc Delete the tasks of leads and contacts; returns their ids; tasks_lead and tasks_contact.
delete from tasks
where lead_id = any(cast(:leads as bigint[])) or contact_id = any(cast(:contacts as bigint[]))
returning id;

--:name person_deals_release :affected
--:doc Remove the contact, the person's words and texts of their own fields from deals; primary key.
update deals
set
    contact_id = case when contact_id = any(cast(:contacts as bigint[])) then null else contact_id end,
    title = left(words_erased(title, cast(:patterns as text[])), 255),
    fields = fields_erased(fields, cast(:patterns as text[]), cast(:texts as text[]))
where id = any(cast(:deals as bigint[]));

--:name person_quotes_blank :affected
--:doc Remove the person's words from the deals' quotes; quotes_deal.
update quotes
set
    notes = words_erased(notes, cast(:patterns as text[])),
    payment_terms = words_erased(payment_terms, cast(:patterns as text[]))
where
    deal_id = any(cast(:deals as bigint[]))
    and (notes ~ any(cast(:patterns as text[])) or payment_terms ~ any(cast(:patterns as text[])));

--:name person_companies_blank :affected
--:doc Remove the person's address, telephone number, and words in own fields from companies; primary key.
update companies
set
    email = case when email_key(email) = any(cast(:addresses as text[])) then null else email end,
    phone = case when phone = any(cast(:phones as text[])) then null else phone end,
    fields = fields_erased(fields, cast(:patterns as text[]), cast(:texts as text[]))
where id = any(cast(:companies as bigint[]));
