alter table app.leads drop column if exists search_text;
alter table app.leads
    add column if not exists fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    add column search_text text collate "C" not null generated always as (app.searched( app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n' || coalesce(company, '') || E'\n' || coalesce(job_title, '') || E'\n' || app.phone_lines(phone) || app.field_text(fields))) stored;
comment on column app.leads.fields is 'Values of the organization''s own fields, by key.';
comment on column app.leads.search_text is
    'Searched text: name, email address, company, position, phone number and own fields.';
grant select (search_text, fields) on app.leads to pipeline_lookup;
grant insert (fields), update (fields) on app.leads to pipeline_member;
call app.record_changes('app.leads', 'leads',
    '{first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to, contact_id,
    company_id, deal_id, disqualify_reason, qualified_at, disqualified_at, external_id, fields}');
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
    app.iso(lead.created_at) as created_at, app.iso(lead.updated_at) as updated_at, lead.fields
from app.leads as lead
left join app.users as assignee on assignee.id = lead.assigned_to;
call app.describe_columns('app.lead_records', 'app.leads');
grant select (fields), insert (fields) on app.leads to pipeline_public;
grant insert (fields), update (fields) on app.leads to pipeline_jobs;

-- Next table.
alter table app.companies drop column if exists search_text;
alter table app.companies
    add column if not exists fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    add column search_text text collate "C" not null generated always as (app.searched( name || E'\n' || coalesce(legal_name, '') || E'\n' || app.domain_lines(app.website_domain(website)) || E'\n' || app.domain_lines(email) || E'\n' || app.phone_lines(phone) || app.field_text(fields))) stored;
comment on column app.companies.fields is 'Values of the organization''s own fields, by key.';
comment on column app.companies.search_text is
    'Searched text: names, domain, email address, phone number and own fields.';
grant select (search_text, fields) on app.companies to pipeline_lookup;
grant insert (fields), update (fields) on app.companies to pipeline_member;
call app.record_changes('app.companies', 'companies',
    '{name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
    country, external_id, fields}');
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
    app.iso(company.created_at) as created_at, app.iso(company.updated_at) as updated_at, company.fields
from app.companies as company;
call app.describe_columns('app.company_records', 'app.companies');

-- Next table.
alter table app.contacts drop column if exists search_text;
alter table app.contacts
    add column if not exists fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    add column search_text text collate "C" not null generated always as (app.searched( app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n' || app.phone_lines(phone) || app.field_text(fields))) stored;
comment on column app.contacts.fields is 'Values of the organization''s own fields, by key.';
comment on column app.contacts.search_text is
    'Searched text besides the company: name, email address, phone number and own fields.';
grant select (search_text, fields) on app.contacts to pipeline_lookup;
grant insert (fields), update (fields) on app.contacts to pipeline_member;
call app.record_changes('app.contacts', 'contacts',
    '{first_name, last_name, email, phone, job_title, company_id, external_id, fields}');
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
    app.iso(contact.created_at) as created_at, app.iso(contact.updated_at) as updated_at, contact.fields
from app.contacts as contact
left join app.companies as company
    on company.organization_id = contact.organization_id and company.id = contact.company_id;
call app.describe_columns('app.contact_records', 'app.contacts');

-- Next table.
alter table app.deals drop column if exists search_text;
alter table app.deals
    add column if not exists fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    add column search_text text collate "C" not null generated always as (app.searched(title || app.field_text(fields))) stored;
comment on column app.deals.fields is 'Values of the organization''s own fields, by key.';
comment on column app.deals.search_text is 'Searched text besides the company: the title and own fields.';
grant select (search_text, fields) on app.deals to pipeline_lookup;
grant insert (fields), update (fields) on app.deals to pipeline_member;
call app.record_changes('app.deals', 'deals',
    '{title, value_minor, currency, stage_id, company_id, contact_id, owner_id, expected_close_date, product_line,
    external_id, fields}');
create or replace view app.deal_records with (security_invoker = true) as
select
    deal.id, deal.organization_id, deal.title, app.money(deal.value_minor, deal.currency) as value, deal.currency, deal.stage_id,
    stage.name as stage_name, deal.company_id, company.name as company_name, deal.contact_id,
    contact.name as contact_name, deal.owner_id, owner.name as owner_name, deal.expected_close_date, deal.product_line,
    deal.external_id, deal.created_by,
    app.created_by_kind(deal.created_by, deal.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = deal.created_by),
        (select key.name from app.api_keys as key where key.id = deal.created_by_key)
    ) as created_by_name,
    app.iso(deal.created_at) as created_at, app.iso(deal.updated_at) as updated_at, deal.fields
from app.deals as deal
left join app.deal_stages as stage on stage.organization_id = deal.organization_id and stage.id = deal.stage_id
left join app.companies as company on company.organization_id = deal.organization_id and company.id = deal.company_id
left join app.contacts as contact on contact.organization_id = deal.organization_id and contact.id = deal.contact_id
left join app.users as owner on owner.id = deal.owner_id;
call app.describe_columns('app.deal_records', 'app.deals');

-- Next table.
alter table app.contracts drop column if exists search_text;
alter table app.contracts
    add column search_text text collate "C" not null generated always as (app.searched(contract_number || E'\n' || name || app.field_text(fields))) stored;
comment on column app.contracts.search_text is
    'Searched text besides the company and the deal: number, name and own fields, one per line.';
grant select (search_text, fields) on app.contracts to pipeline_lookup;
