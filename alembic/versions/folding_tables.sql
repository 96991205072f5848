alter table app.leads drop column if exists person_key, drop column if exists phone_key, drop column if exists search_text;
alter table app.leads
    add column person_key text collate "C" not null generated always as (app.person_key(first_name, last_name)) stored,
    add column phone_key text collate "C" generated always as (app.phone_stored(phone)) stored,
    add column search_text text collate "C" not null generated always as (app.searched( app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n' || coalesce(company, '') || E'\n' || coalesce(job_title, '') || E'\n' || app.phone_lines(phone))) stored;
comment on column app.leads.person_key is 'The name folded, for comparing people.';
comment on column app.leads.phone_key is 'The phone number for comparing: E.164, or the digits of a national number.';
comment on column app.leads.search_text is 'Searched text: name, email address, company, position and phone number.';
grant select (search_text) on app.leads to pipeline_lookup;
create or replace view app.lead_records with (security_invoker = true) as
select
    lead.id, lead.organization_id, lead.first_name, lead.last_name, lead.name,
    app.domain_shown(lead.email) as email, lead.phone, lead.company,
    lead.company as company_name, lead.job_title, lead.source, lead.status, lead.notes, lead.tags, lead.assigned_to,
    assignee.name as assigned_to_name, lead.contact_id, lead.company_id, lead.deal_id, lead.disqualify_reason,
    app.iso(lead.qualified_at) as qualified_at, app.iso(lead.disqualified_at) as disqualified_at, lead.external_id,
    lead.created_by,
    app.created_by_kind(lead.created_by, lead.created_by_key, lead.created_by_form) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = lead.created_by),
        (select key.name from app.api_keys as key where key.id = lead.created_by_key)
    ) as created_by_name,
    app.iso(lead.created_at) as created_at, app.iso(lead.updated_at) as updated_at
from app.leads as lead
left join app.users as assignee on assignee.id = lead.assigned_to;

-- Next table.
alter table app.companies drop column if exists name_key, drop column if exists website_domain, drop column if exists search_text;
alter table app.companies
    add column name_key text collate "C" not null generated always as (app.company_key(name)) stored,
    add column website_domain text collate "C" generated always as (left(app.website_domain(website), 255)) stored,
    add column search_text text collate "C" not null generated always as (app.searched( name || E'\n' || coalesce(legal_name, '') || E'\n' || app.domain_lines(app.website_domain(website)) || E'\n' || app.domain_lines(email) || E'\n' || app.phone_lines(phone))) stored;
comment on column app.companies.name_key is 'The name folded and without legal form, for matching.';
comment on column app.companies.website_domain is
    'Domain of the web site in Unicode, for matching web sites and email addresses.';
comment on column app.companies.search_text is 'Searched text: names, domain, email address and phone number.';
grant select (search_text, name_key) on app.companies to pipeline_lookup;
create or replace view app.company_records with (security_invoker = true) as
select
    company.id, company.organization_id, company.name, company.legal_name, company.registration_number, company.vat_id,
    app.domain_shown(company.email) as email, company.phone, company.website, company.street, company.city, company.region, company.postal_code,
    company.country, company.external_id, company.created_by,
    app.created_by_kind(company.created_by, company.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = company.created_by),
        (select key.name from app.api_keys as key where key.id = company.created_by_key)
    ) as created_by_name,
    app.iso(company.created_at) as created_at, app.iso(company.updated_at) as updated_at
from app.companies as company;

-- Next table.
alter table app.contacts drop column if exists search_text;
alter table app.contacts
    add column search_text text collate "C" not null generated always as (app.searched( app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n' || app.phone_lines(phone))) stored;
comment on column app.contacts.search_text is
    'Searched text besides the company: name, email address and phone number.';
grant select (search_text) on app.contacts to pipeline_lookup;
create or replace view app.contact_records with (security_invoker = true) as
select
    contact.id, contact.organization_id, contact.first_name, contact.last_name, contact.name,
    app.domain_shown(contact.email) as email, contact.phone, contact.job_title, contact.company_id, company.name as company_name, contact.external_id,
    contact.created_by,
    app.created_by_kind(contact.created_by, contact.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = contact.created_by),
        (select key.name from app.api_keys as key where key.id = contact.created_by_key)
    ) as created_by_name,
    app.iso(contact.created_at) as created_at, app.iso(contact.updated_at) as updated_at
from app.contacts as contact
left join app.companies as company
    on company.organization_id = contact.organization_id and company.id = contact.company_id;

-- Next table.
alter table app.deals drop column if exists search_text;
alter table app.deals
    add column search_text text collate "C" not null generated always as (app.searched(title)) stored;
comment on column app.deals.search_text is 'Searched text besides the company: the title.';
grant select (search_text) on app.deals to pipeline_lookup;

-- Next table.
alter table app.quotes drop column if exists search_text;
alter table app.quotes
    add column search_text text collate "C" not null generated always as (app.searched(quote_number)) stored;
comment on column app.quotes.search_text is 'Searched text besides the deal: the number.';
grant select (search_text) on app.quotes to pipeline_lookup;

-- Next table.
alter table app.contracts drop column if exists search_text;
alter table app.contracts
    add column search_text text collate "C" not null generated always as (app.searched(contract_number || E'\n' || name)) stored;
comment on column app.contracts.search_text is
    'Searched text besides the company and the deal: number and name, one per line.';
grant select (search_text) on app.contracts to pipeline_lookup;

-- Next table.
alter table app.interview_invites drop column if exists search_text;
alter table app.interview_invites
    add column search_text text collate "C" not null generated always as (app.searched( app.name_lines(coalesce(recipient_name, ''), '') || E'\n' || app.domain_lines(recipient_email))) stored;
comment on column app.interview_invites.search_text is 'Searched text: name and email address, one per line.';
grant select (search_text) on app.interview_invites to pipeline_lookup;
create or replace view app.interview_invite_records with (security_invoker = true) as
select
    invite.id, invite.organization_id, invite.template_id, invite.lead_id, invite.deal_id, invite.origin, invite.token,
    app.domain_shown(invite.recipient_email) as recipient_email, invite.recipient_name, invite.personal_note, invite.language, invite.send_email,
    invite.reminders, app.invite_status(invite.status, invite.expires_at) as status,
    app.iso(invite.expires_at) as expires_at, app.iso(invite.sent_at) as sent_at,
    app.iso(invite.reminded_at) as reminded_at, app.iso(invite.reminders_declined_at) as reminders_declined_at,
    app.iso(invite.opened_at) as opened_at, app.iso(invite.started_at) as started_at,
    app.iso(invite.submitted_at) as submitted_at, invite.email_status, invite.email_error, invite.created_by,
    app.created_by_kind(invite.created_by, invite.created_by_key, invite.origin = 'capture') as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = invite.created_by),
        (select api_key.name from app.api_keys as api_key where api_key.id = invite.created_by_key)
    ) as created_by_name,
    app.iso(invite.created_at) as created_at, app.iso(invite.updated_at) as updated_at
from app.interview_invites as invite;

-- Next table.
alter table app.interview_templates drop column if exists search_text;
alter table app.interview_templates
    add column search_text text collate "C" not null generated always as (app.searched(name || E'\n' || slug)) stored;
comment on column app.interview_templates.search_text is 'Searched text: name and slug.';

-- Next table.
alter table app.contract_templates drop column if exists search_text;
alter table app.contract_templates
    add column search_text text collate "C" not null generated always as (app.searched(name)) stored;
comment on column app.contract_templates.search_text is 'Searched text: the name.';

-- Next table.
create or replace view app.signature_request_records with (security_invoker = true) as
select
    request.id, request.organization_id, request.contract_id, request.revision, request.document_sha256,
    app.signature_status(request.status, request.expires_at, request.signed_at) as status, request.message,
    request.language, request.verify_email, app.iso(request.expires_at) as expires_at,
    app.iso(request.signed_at) as signed_at, app.iso(request.ended_at) as ended_at, request.error,
    coalesce(signed.signers, '[]') as signers,
    request.created_by, app.created_by_kind(request.created_by, request.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = request.created_by),
        (select key.name from app.api_keys as key where key.id = request.created_by_key)
    ) as created_by_name,
    app.iso(request.created_at) as created_at,
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at
from app.signature_requests as request
cross join lateral (
    select
        json_agg(
            json_build_object(
                'id', signer.id, 'name', signer.name, 'title', signer.title,
                'email', app.domain_shown(signer.email), 'party', signer.party, 'order', signer."order", 'status', signer.status,
                'email_status', signer.email_status, 'email_error', signer.email_error,
                'viewed_at', app.iso(signer.viewed_at), 'signed_at', app.iso(signer.signed_at),
                'decline_reason', signer.decline_reason, 'reminded_at', app.iso(signer.reminded_at))
            order by signer."order", signer.id
        ) as signers,
        max(signer.updated_at) as updated_at
    from app.signature_signers as signer
    where signer.organization_id = request.organization_id and signer.request_id = request.id
) as signed;
