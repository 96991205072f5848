-- Companies and contacts. Each order of a list has an index that ends with id. Nulls are last in both directions, so
-- the descending order of a nullable text is sorted. The context fills created_by and created_by_key, here and in other
-- records. They have no foreign keys, so that the creator's seat can be removed.

set local role pipeline_owner;

create table app.companies (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    legal_name text,
    registration_number text,
    vat_id text,
    email text check (app.has_ascii_domain(email)),
    phone text,
    website text,
    street text,
    city text,
    region text,
    postal_code text,
    country text,
    external_id text check (length(external_id) between 1 and 255),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    field_numbers double precision[],
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    sort_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    name_key text collate "C" not null generated always as (app.company_key(name)) stored,
    website_domain text collate "C" generated always as (left(app.website_domain(website), 255)) stored,
    city_key text collate "C" generated always as (app.sort_key(city)) stored,
    country_key text collate "C" generated always as (app.sort_key(country)) stored,
    search_text text collate "C" not null generated always as (app.searched(
        name || E'\n' || coalesce(legal_name, '') || E'\n' || app.domain_lines(app.website_domain(website)) || E'\n'
        || app.domain_lines(email) || E'\n' || app.phone_lines(phone) || app.field_text(fields))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.companies is 'Companies that an organization sells to; the licensees of its contracts.';
comment on column app.companies.name is 'Name of the company.';
comment on column app.companies.legal_name is 'Legal name, used in contracts.';
comment on column app.companies.fields is 'Values of the organization''s own fields, by key.';
comment on column app.companies.sort_key is 'Sort key of the name.';
comment on column app.companies.name_key is 'The name folded and without legal form, for matching.';
comment on column app.companies.website_domain is
    'Domain of the web site in Unicode, for matching web sites and email addresses.';
comment on column app.companies.city_key is 'Sort key of the city.';
comment on column app.companies.country_key is 'Sort key of the country.';
comment on column app.companies.search_text is
    'Searched text: names, domain, email address, phone number and own fields.';

call app.share(
    'app.companies', 'pipeline_member', 'name', 'legal_name', 'registration_number', 'vat_id', 'email', 'phone',
    'website', 'street', 'city', 'region', 'postal_code', 'country', 'external_id', 'fields');
call app.record_changes('app.companies', 'companies',
    '{name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
    country, external_id, fields}');

create unique index companies_external_id on app.companies (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index companies_sort on app.companies (organization_id, sort_key, id);
create index companies_city on app.companies (organization_id, city_key, id);
create index companies_country on app.companies (organization_id, country_key, id);
create index companies_created on app.companies (organization_id, created_at, id);
create index companies_updated on app.companies (organization_id, updated_at, id);
-- Matches for a lead's company.
create index companies_name_key on app.companies (organization_id, name_key);
create index companies_website_domain on app.companies (organization_id, website_domain);
create index companies_similar on app.companies using gin (organization_id, name_key extensions.gin_trgm_ops);

grant select (name_key) on app.companies to pipeline_lookup;

-- Search (app.search_ids).
create index companies_search_trigrams on app.companies
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, fields) on app.companies to pipeline_lookup;

-- Filters by own fields (app.field_hits).
create index companies_fields on app.companies using gin (organization_id, app.field_hashes(fields)) where fields <> '{}';
create index companies_field_numbers on app.companies (organization_id, id) include (field_numbers)
    where field_numbers is not null;
call app.number_fields('app.companies');

call app.count_records('app.companies');

create view app.company_records with (security_invoker = true) as
select
    company.id, company.organization_id, company.name, company.legal_name, company.registration_number, company.vat_id,
    app.domain_shown(company.email) as email, company.phone, company.website, company.street, company.city,
    company.region, company.postal_code,
    company.country, company.external_id, company.created_by,
    app.created_by_kind(company.created_by, company.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = company.created_by),
        (select key.name from app.api_keys as key where key.id = company.created_by_key)
    ) as created_by_name,
    app.iso(company.created_at) as created_at, app.iso(company.updated_at) as updated_at, company.fields
from app.companies as company;
comment on view app.company_records is 'Companies as the API returns them.';
call app.present('app.company_records', 'pipeline_member', 'app.companies');

set local role pipeline_lookup;
create function app.company_similar(p_name text) returns table (id bigint, similarity real)
    language sql stable security definer set search_path = app, extensions, pg_temp
    set pg_trgm.similarity_threshold = 0.5 as $$
    select c.id, similarity(c.name_key, app.company_key(p_name)) from app.companies c
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.name_key % app.company_key(p_name)
    order by 2 desc, 1 limit 20
$$;
comment on function app.company_similar is
    'Companies of the current organization with a trigram similarity of at least 0.5. A definer function, because the '
    'operator is not leakproof and cannot use its index under row-level security.';
grant execute on function app.company_similar to pipeline_member;

set local role pipeline_owner;

create table app.contacts (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255 and app.has_ascii_domain(email)),
    phone text,
    job_title text,
    company_id bigint,
    external_id text check (length(external_id) between 1 and 255),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    field_numbers double precision[],
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (app.email_key(email)) stored,
    search_text text collate "C" not null generated always as (app.searched(
        app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n'
        || app.phone_lines(phone) || app.field_text(fields))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, company_id) references app.companies
);
comment on table app.contacts is 'People at the companies that an organization sells to.';
comment on column app.contacts.first_name is 'Given name.';
comment on column app.contacts.name is 'First and last name.';
comment on column app.contacts.fields is 'Values of the organization''s own fields, by key.';
comment on column app.contacts.search_text is
    'Searched text besides the company: name, email address, phone number and own fields.';

call app.share(
    'app.contacts', 'pipeline_member', 'first_name', 'last_name', 'email', 'phone', 'job_title', 'company_id',
    'external_id', 'fields');
call app.record_changes('app.contacts', 'contacts',
    '{first_name, last_name, email, phone, job_title, company_id, external_id, fields}');

create unique index contacts_external_id on app.contacts (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index contacts_name on app.contacts (organization_id, name_key, id);
create index contacts_created on app.contacts (organization_id, created_at, id);
create index contacts_updated on app.contacts (organization_id, updated_at, id);
-- Also for contacts with an email address.
create index contacts_email on app.contacts (organization_id, email_key, id);
create index contacts_company on app.contacts (organization_id, company_id);

-- Search (app.search_ids).
create index contacts_search_trigrams on app.contacts
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id, fields) on app.contacts to pipeline_lookup;

-- Filters by own fields (app.field_hits).
create index contacts_fields on app.contacts using gin (organization_id, app.field_hashes(fields)) where fields <> '{}';
create index contacts_field_numbers on app.contacts (organization_id, id) include (field_numbers)
    where field_numbers is not null;
call app.number_fields('app.contacts');

call app.count_records('app.contacts');

create view app.contact_records with (security_invoker = true) as
select
    contact.id, contact.organization_id, contact.first_name, contact.last_name, contact.name,
    app.domain_shown(contact.email) as email, contact.phone, contact.job_title, contact.company_id,
    company.name as company_name, contact.external_id,
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
comment on view app.contact_records is 'Contacts with the name of their company, as the API returns them.';
call app.present('app.contact_records', 'pipeline_member', 'app.contacts');
