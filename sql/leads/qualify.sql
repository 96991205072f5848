--:name lead_lock :one
--:doc Lock and return a lead; primary key.
select
    lead.id,
    lead.name,
    lead.email,
    lead.company,
    lead.assigned_to,
    lead.contact_id,
    lead.company_id,
    lead.deal_id,
    lead.fields
from leads as lead
where lead.id = cast(:id as bigint)
for update;

--:name lead_qualification_turn :one
--:doc Lock the organization's qualifications, against duplicate contacts and companies.
select pg_advisory_xact_lock(hashtextextended('lead_qualification', cast(:organization_id as bigint)));

--:name lead_company_find :scalar
--:doc The oldest company with a normalised name; companies_name_key.
select company.id
from companies as company
where
    company.name_key = company_key(cast(:company as text))
    and (company.name_key <> '' or company.name = cast(:company as text))
order by company.name = cast(:company as text) desc, company.id
limit 1;

--:name lead_contact_find :scalar
--:doc The oldest contact that is the person of a name and email address; contacts_email.
select contact.id
from contacts as contact
where
    contact.email_key = email_key(cast(:email as text))
    and same_person(contact.name, contact.email, cast(:name as text), cast(:email as text))
order by contact.id
limit 1;

--:name lead_contact_fill :affected
--:doc Fill a contact's empty fields from the lead; primary keys.
update contacts as contact
set
    last_name = coalesce(contact.last_name, lead.last_name),
    phone = coalesce(contact.phone, lead.phone),
    job_title = coalesce(contact.job_title, lead.job_title),
    company_id = coalesce(contact.company_id, cast(:company_id as bigint)),
    fields = cast(:fields as jsonb) || contact.fields
from leads as lead
where contact.id = cast(:contact_id as bigint) and lead.id = cast(:id as bigint);

--:name lead_company_fill :affected
--:doc Fill a company's empty own fields; primary key.
update companies as company
set fields = cast(:fields as jsonb) || company.fields
where company.id = cast(:id as bigint);

--:name lead_contact_employ :affected
--:doc Give a contact without a company this one; primary key.
update contacts as contact
set company_id = cast(:company_id as bigint)
where contact.id = cast(:contact_id as bigint) and contact.company_id is null;

--:name lead_contact_insert :scalar
--:doc Insert a contact from the lead; returns its id.
insert into contacts (first_name, last_name, email, phone, job_title, company_id, fields)
select
    lead.first_name, lead.last_name, lead.email, lead.phone, lead.job_title, cast(:company_id as bigint),
    cast(:fields as jsonb)
from leads as lead
where lead.id = cast(:id as bigint)
returning id;

--:name lead_deal_stage :scalar
--:doc The given stage, by default the first; deal_stages_position.
select stage.id
from deal_stages as stage
where cast(:stage_id as bigint) is null or stage.id = cast(:stage_id as bigint)
order by stage.position, stage.id
limit 1;

--:name lead_qualified :affected
--:doc Qualify a lead and set its links; primary key.
update leads as lead
set
    status = 'qualified',
    qualified_at = case
        when lead.status = 'qualified' then coalesce(lead.qualified_at, now())
        else now()
    end,
    disqualified_at = null,
    disqualify_reason = null,
    contact_id = cast(:contact_id as bigint),
    company_id = cast(:company_id as bigint),
    deal_id = cast(:deal_id as bigint)
where lead.id = cast(:id as bigint);

--:name lead_link_notes :affected
--:doc Fill empty links of a lead's notes; notes_lead.
update notes as note
set
    contact_id = coalesce(note.contact_id, cast(:contact_id as bigint)),
    company_id = coalesce(note.company_id, cast(:company_id as bigint)),
    deal_id = coalesce(note.deal_id, cast(:deal_id as bigint))
where note.lead_id = cast(:id as bigint);

--:name lead_link_tasks :affected
--:doc Fill empty links of a lead's tasks; tasks_lead.
update tasks as task
set
    contact_id = coalesce(task.contact_id, cast(:contact_id as bigint)),
    company_id = coalesce(task.company_id, cast(:company_id as bigint)),
    deal_id = coalesce(task.deal_id, cast(:deal_id as bigint))
where task.lead_id = cast(:id as bigint);

--:name lead_link_emails :affected
--:doc Fill empty links of a lead's emails; emails_lead.
update emails as email
set
    contact_id = coalesce(email.contact_id, cast(:contact_id as bigint)),
    company_id = coalesce(email.company_id, cast(:company_id as bigint)),
    deal_id = coalesce(email.deal_id, cast(:deal_id as bigint))
where email.lead_id = cast(:id as bigint);
