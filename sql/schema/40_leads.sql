-- Leads. The policies for public forms are in 51_interview_invites.sql.

set local role pipeline_owner;

-- count_inserted checks the organization through record_count_deltas, once for each statement.
create table app.leads (
    organization_id bigint not null,
    id bigint generated always as identity,
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255 and app.has_ascii_domain(email)),
    phone text check (length(phone) <= 80),
    company text check (length(company) <= 255),
    job_title text check (length(job_title) <= 255),
    source text not null default 'manual' check (length(source) between 1 and 80),
    status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'disqualified')),
    notes text,
    tags text,
    assigned_to bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    disqualify_reason text,
    qualified_at timestamptz,
    disqualified_at timestamptz,
    external_id text check (length(external_id) between 1 and 255),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    field_numbers double precision[],
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_by_form boolean not null default (
        nullif(current_setting('app.template_id', true), '') is not null
        or nullif(current_setting('app.invite_id', true), '') is not null),
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (app.email_key(email)) stored,
    company_key text collate "C" generated always as (app.sort_key(company)) stored,
    source_key text collate "C" not null generated always as (app.sort_key(source)) stored,
    tag_text text collate "C" generated always as (
        ',' || regexp_replace(app.plain(tags), '\s*[,;]\s*', ',', 'g') || ',') stored,
    person_key text collate "C" not null
        generated always as (app.person_key(first_name, last_name)) stored,
    firm_key text collate "C" generated always as (left(app.company_key(company), 200)) stored,
    phone_key text collate "C" generated always as (app.phone_stored(phone)) stored,
    search_text text collate "C" not null generated always as (app.searched(
        app.name_lines(first_name, last_name) || E'\n' || app.domain_lines(email) || E'\n'
        || coalesce(company, '') || E'\n' || coalesce(job_title, '') || E'\n' || app.phone_lines(phone)
        || app.field_text(fields))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals
);
comment on table app.leads is 'Leads: prospects before the sale.';
comment on column app.leads.first_name is 'Given name, or the only name.';
comment on column app.leads.company is 'Name of the company, as entered.';
comment on column app.leads.source is 'Where the lead comes from; interview for one from a capture form.';
comment on column app.leads.status is 'new, contacted, qualified or disqualified.';
comment on column app.leads.tags is 'Tags for grouping leads, separated by commas or semicolons.';
comment on column app.leads.assigned_to is 'The user responsible for the lead.';
comment on column app.leads.contact_id is 'The contact of the qualification.';
comment on column app.leads.company_id is 'The company of the qualification.';
comment on column app.leads.deal_id is 'The deal of the qualification.';
comment on column app.leads.disqualify_reason is 'Reason for the disqualification.';
comment on column app.leads.qualified_at is 'When it was qualified.';
comment on column app.leads.disqualified_at is 'When it was disqualified.';
comment on column app.leads.fields is 'Values of the organization''s own fields, by key.';
comment on column app.leads.created_by_form is 'Whether a prospect made it with a form.';
comment on column app.leads.name is 'First and last name.';
comment on column app.leads.company_key is 'Sort key of the company.';
comment on column app.leads.source_key is 'Sort key of the source.';
comment on column app.leads.tag_text is 'The tags, each between commas, for the filter by tag.';
comment on column app.leads.person_key is 'The name folded, for comparing people.';
comment on column app.leads.firm_key is 'The company folded and without legal form, for comparing.';
comment on column app.leads.phone_key is 'The phone number for comparing: E.164, or the digits of a national number.';
comment on column app.leads.search_text is
    'Searched text: name, email address, company, position, phone number and own fields.';

call app.share(
    'app.leads', 'pipeline_member',
    'first_name', 'last_name', 'email', 'phone', 'company', 'job_title', 'source', 'status', 'notes', 'tags',
    'assigned_to', 'contact_id', 'company_id', 'deal_id', 'disqualify_reason', 'qualified_at', 'disqualified_at',
    'external_id', 'fields');

-- The worker imports with the same statements as a request.
grant insert (organization_id, first_name, last_name, email, phone, company, job_title, source, status, notes, tags,
        assigned_to, qualified_at, disqualified_at, external_id, fields),
    update (first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to,
        disqualify_reason, qualified_at, disqualified_at, external_id, fields)
    on app.leads to pipeline_jobs;

create unique index leads_external_id on app.leads (organization_id, external_id)
    where external_id is not null;

-- Orders of the list, also of a status or assignee.
create index leads_name on app.leads (organization_id, name_key, id);
create index leads_email on app.leads (organization_id, email_key, id);
create index leads_company_name on app.leads (organization_id, company_key, id);
create index leads_status on app.leads (organization_id, status, id);
create index leads_source on app.leads (organization_id, source_key, id, source);
create index leads_created on app.leads (organization_id, created_at, id);
create index leads_updated on app.leads (organization_id, updated_at, id);
-- Also lists the leads of an assignee by name.
create index leads_assigned on app.leads (organization_id, assigned_to, name_key, id);
-- Also for deletions of the referenced records.
create index leads_contact on app.leads (organization_id, contact_id) where contact_id is not null;
create index leads_company on app.leads (organization_id, company_id) where company_id is not null;
create index leads_deal on app.leads (organization_id, deal_id) where deal_id is not null;

-- The same person (lead_duplicates, imports).
create index leads_person_firm on app.leads (organization_id, person_key, firm_key);
create index leads_phone on app.leads (organization_id, phone_key) where phone_key is not null;

-- Search (app.search_ids).
create index leads_search_trigrams on app.leads
    using gin (organization_id, search_text extensions.gin_trgm_ops, tag_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, tag_text, fields) on app.leads to pipeline_lookup;

-- Filters by own fields (app.field_hits).
create index leads_fields on app.leads using gin (organization_id, app.field_hashes(fields)) where fields <> '{}';
create index leads_field_numbers on app.leads (organization_id, id) include (field_numbers)
    where field_numbers is not null;
call app.number_fields('app.leads');

call app.count_records('app.leads');

call app.record_changes('app.leads', 'leads',
    '{first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to, contact_id,
    company_id, deal_id, disqualify_reason, qualified_at, disqualified_at, external_id, fields}');

set local role pipeline_lookup;

create function app.lead_is_new(p_id bigint) returns boolean
    language plpgsql stable security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '');
    v_transaction bigint := app.change_transaction(v_organization);
begin
    perform 1 from app.changes c
        where c.organization_id = v_organization and c.transaction_id = v_transaction
          and c.type = 'leads' and c.record_id = p_id and c.action = 'created';
    return found;
end
$$;
comment on function app.lead_is_new is
    'Whether this transaction created a lead of the current organization, from the record of change. A form may link '
    'only such a lead and cannot read leads.';
grant execute on function app.lead_is_new to pipeline_public;
set local role pipeline_owner;

create function app.lead_import_lock() returns boolean
    language sql volatile
    return pg_try_advisory_xact_lock(
        hashtextextended('lead_import', cast(nullif(current_setting('app.organization_id', true), '') as bigint)));
comment on function app.lead_import_lock is
    'Whether no other import into the current organization is running. If true, this transaction holds the lock until '
    'its end.';
grant execute on function app.lead_import_lock to pipeline_member;

create function app.team_of(p_user_id bigint) returns bigint[]
    language sql stable as $$
    select array(
        select mate.user_id
        from app.organization_users as seat
        join app.organization_users as mate
            on mate.organization_id = seat.organization_id
            and (mate.user_id = seat.user_id or mate.team_id = seat.team_id)
        where seat.user_id = p_user_id)
$$;
comment on function app.team_of is
    'The users of a user''s team in the current organization, including the user. Empty for an API key.';
grant execute on function app.team_of to pipeline_member;

create function app.lead_duplicates(p_id bigint, p_most bigint) returns table (id bigint, reason text)
    language sql stable as $$
    with lead as materialized (
        select
            one.*, app.is_role_address(one.email) as is_role, app.real_name(one.name, one.email) is null as is_nameless,
            app.phone_keys(one.phone, app.phone_region()) as phones
        from app.leads as one
        where one.id = p_id)
    select distinct on (alike.id) alike.id, alike.reason
    from lead
    cross join lateral (
        (select same.id, 'email' as reason, 1 as place, null as person_key, null as name_key
            from app.leads as same
            where not lead.is_role and same.email_key = lead.email_key and same.id <> lead.id
            limit p_most)
        union all
        -- Thousands may share the address of a role or a phone number, and comparing names takes time.
        (select near.id, 'email', 1,
                case when not lead.is_nameless and app.real_name(near.name, near.email) is not null then near.person_key end,
                near.name_key
            from app.leads as near
            where lead.is_role and near.email_key = lead.email_key and near.id <> lead.id
            limit 200)
        union all
        (select near.id, 'phone', 2, near.person_key, near.name_key
            from app.leads as near
            where near.phone_key = any(lead.phones) and near.id <> lead.id
            limit 200)
        union all
        (select same.id, 'company', 3, null, null
            from app.leads as same
            where same.person_key = lead.person_key and same.firm_key = lead.firm_key and same.id <> lead.id
            limit p_most)) as alike
    where app.name_forms_agree(
        string_to_array(alike.person_key, ' '), translate(app.shortened(alike.name_key), ' -.''', ''),
        string_to_array(lead.person_key, ' '), translate(app.shortened(lead.name_key), ' -.''', ''))
    order by alike.id, alike.place
$$;
comment on function app.lead_duplicates is
    'The leads that can be the same person as a lead, and why. p_most: of those with the same address of a person, and '
    'with the same name and company, as many at most; null for all.';
grant execute on function app.lead_duplicates to pipeline_member;

create view app.lead_records with (security_invoker = true) as
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
comment on view app.lead_records is 'Leads with the names of related records, as the API returns them.';
call app.present('app.lead_records', 'pipeline_member', 'app.leads');
comment on column app.lead_records.created_by_kind is 'Kind of the creator: user, key, prospect or system.';
comment on column app.lead_records.company_name is 'The same as company.';
comment on column app.lead_records.assigned_to_name is 'Name of the user responsible for the lead.';

-- Guards against formulas in spreadsheet cells (OWASP, "CSV Injection"), as pipeline/api/exports/csv_cells.py does. PostgreSQL
-- inlines the function's expression, so a million leads cost no calls.
do $do$
declare
    c_before constant text := '[''" \u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0'
        '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*';
    c_formula constant text := c_before || '[=+@\uff0b\uff0d\uff1d\uff20-]';
begin
    execute format($function$
create function app.csv_text(value text) returns text
    language sql immutable parallel safe
    -- Cheap comparisons first, because most texts need no more.
    return case
        when
            value collate "C" like '%%,%%' or value collate "C" like '%%;%%' or value collate "C" like e'%%\t%%'
            or value collate "C" like e'%%\n%%' or value collate "C" like e'%%\r%%'
            then case when value ~ %L then regexp_replace(value, %L, '''', 'g') else value end
        when (value collate "C" < 'A' or value collate "C" > '~') and value ~ %L then '''' || value
        else value
    end$function$,
        '^' || c_before || '[\t\r]|(^|[,;\t\n\r])' || c_formula,
        '^(?=' || c_before || '[\t\r])|(^|(?<=[,;\t\n\r]))(?=' || c_formula || ')',
        '^' || c_formula);
end
$do$;
comment on function app.csv_text is
    'A text for a CSV file, with an apostrophe before any cell that a spreadsheet would read as a formula.';

grant execute on function app.csv_text to pipeline_member;
