-- Contracts, their numbers and documents. A contract stores its resolved content and layout, so it is independent of
-- its template. A counter row for each prefix gives numbers without gaps. Only administrators remove an executed copy
-- without a new one, or replace a sealed one (SQLSTATE 42501).

set local role pipeline_owner;

create table app.contract_numbers (
    organization_id bigint not null references app.organizations (id),
    prefix text not null,
    last_number bigint not null check (last_number >= 1),
    primary key (organization_id, prefix)
);
comment on table app.contract_numbers is 'The last number for each prefix.';
comment on column app.contract_numbers.prefix is 'The prefix of the numbers.';
comment on column app.contract_numbers.last_number is 'The last number.';

call app.isolate('app.contract_numbers', 'pipeline_member');

grant select, insert (organization_id, prefix, last_number), update (last_number)
    on app.contract_numbers to pipeline_member;

create function app.contract_status(status text, termination_date date, today date) returns text
    language sql immutable parallel safe
    return case when status in ('active', 'executed')
        and termination_date < today then 'expired' else status end;
comment on function app.contract_status is
    'The status to show and filter by; today is the day in the organization''s time zone.';

create function app.organization_day() returns date
    language sql stable
    return (select cast(now() at time zone o.time_zone as date) from app.organizations as o);
comment on function app.organization_day is 'The current day in the time zone of the organization.';

create function app.contract_statuses(shown text[]) returns text[]
    language sql immutable parallel safe
    return shown || case when 'expired' = any(shown) then array['active', 'executed'] else '{}' end;
comment on function app.contract_statuses is
    'The stored statuses of contracts that may have one of the given shown statuses.';

grant execute on function app.contract_statuses, app.organization_day to pipeline_member;
grant execute on function app.contract_status to pipeline_app, pipeline_jobs, pipeline_member;

create table app.contracts (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_number text collate "C" not null,
    name text not null check (length(name) between 1 and 600),
    status text not null default 'draft'
        check (status in ('draft', 'active', 'executed', 'expired', 'terminated', 'archived')),
    template_id bigint not null,
    deal_id bigint,
    company_id bigint,
    effective_date date not null,
    term_months integer not null check (term_months between 1 and 1200),
    termination_date date not null,
    content text not null,
    layout jsonb not null default '{}' check (jsonb_typeof(layout) = 'object'),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    field_numbers double precision[],
    unresolved_tags text[] not null default '{}',
    missing_glyphs jsonb not null default '[]' check (jsonb_typeof(missing_glyphs) = 'array'),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    edited boolean not null default false,
    edit_warnings jsonb not null default '[]' check (jsonb_typeof(edit_warnings) = 'array'),
    revision integer not null default 1 check (revision >= 1),
    executed_file_id bigint,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null
        generated always as (app.searched(contract_number || E'\n' || name || app.field_text(fields))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, contract_number),
    foreign key (organization_id, template_id) references app.contract_templates,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, executed_file_id) references app.files,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.contracts is 'Contracts with their resolved content.';
comment on column app.contracts.contract_number is 'Number: the template''s prefix and at least six digits.';
comment on column app.contracts.name is 'Name of the contract.';
comment on column app.contracts.status is 'draft, active, executed, expired, terminated or archived.';
comment on column app.contracts.company_id is 'The licensee.';
comment on column app.contracts.effective_date is 'First day of the term.';
comment on column app.contracts.term_months is 'Length of the term in months.';
comment on column app.contracts.termination_date is 'Last day of the term.';
comment on column app.contracts.content is 'The content as HTML, with merge tags resolved.';
comment on column app.contracts.layout is
    'The layout of this revision: header and footer texts, language, direction, author, day and logo.';
comment on column app.contracts.fields is 'Values of the organization''s own fields, by key.';
comment on column app.contracts.unresolved_tags is 'Merge tags without a value.';
comment on column app.contracts.missing_glyphs is
    'Characters missing in all fonts when the content was made: character, name and first place.';
comment on column app.contracts.warnings is 'Warnings about the current executed copy: code and message.';
comment on column app.contracts.edited is 'Whether the text of this revision was edited by hand.';
comment on column app.contracts.edit_warnings is 'Warnings about the last edit: code and message.';
comment on column app.contracts.revision is 'Number of the revision; a change of inputs or texts increases it.';
comment on column app.contracts.executed_file_id is 'The file of the current signed copy.';
comment on column app.contracts.search_text is
    'Searched text besides the company and the deal: number, name and own fields, one per line.';

call app.share(
    'app.contracts', 'pipeline_member', 'name', 'status', 'template_id', 'deal_id', 'company_id', 'effective_date',
    'term_months', 'termination_date', 'fields', 'content', 'layout', 'unresolved_tags', 'missing_glyphs', 'external_id');
call app.record_changes('app.contracts', 'contracts',
    '{contract_number, name, status, template_id, deal_id, company_id, effective_date, term_months, termination_date,
    content, layout, fields, unresolved_tags, edited, revision, executed_file_id, external_id}');

create unique index contracts_external_id on app.contracts (organization_id, external_id)
    where external_id is not null;

-- Orders of the list; the unique key serves the order by number.
create index contracts_name on app.contracts (organization_id, name_key, id);
create index contracts_effective on app.contracts (organization_id, effective_date, id);
-- Also for contracts that end soon.
create index contracts_termination on app.contracts (organization_id, termination_date, id);
create index contracts_created on app.contracts (organization_id, created_at, id);
create index contracts_updated on app.contracts (organization_id, updated_at, id);
-- The shown status depends on the end of the term.
create index contracts_status on app.contracts (organization_id, status, termination_date);
-- Also for deletions of the referenced records.
create index contracts_template on app.contracts (organization_id, template_id);
create index contracts_deal on app.contracts (organization_id, deal_id);
create index contracts_company on app.contracts (organization_id, company_id);
create index contracts_executed_file on app.contracts (organization_id, executed_file_id);

grant insert (contract_number, created_by),
    update (edited, edit_warnings, revision, executed_file_id, warnings)
    on app.contracts to pipeline_member;
grant update (status) on app.contracts to pipeline_jobs;
grant select (revision) on app.contracts to pipeline_lookup;

-- Search (app.search_ids).
create index contracts_search_trigrams on app.contracts
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id, deal_id, fields) on app.contracts to pipeline_lookup;

-- Filters by own fields (app.field_hits).
create index contracts_fields on app.contracts using gin (organization_id, app.field_hashes(fields)) where fields <> '{}';
create index contracts_field_numbers on app.contracts (organization_id, id) include (field_numbers)
    where field_numbers is not null;
call app.number_fields('app.contracts');

call app.count_records('app.contracts');

create function app.contract_guarded() returns trigger language plpgsql as $$
begin
    if new.executed_file_id is distinct from old.executed_file_id
       and not pg_has_role(current_user, 'pipeline_admin', 'usage') then
        if new.executed_file_id is null then
            raise exception 'only an administrator may remove an executed copy' using errcode = '42501';
        end if;
        perform 1 from app.signature_requests as request
            where request.organization_id = old.organization_id and request.sealed_file_id = old.executed_file_id;
        if found then
            raise exception 'only an administrator may replace a sealed copy' using errcode = '42501';
        end if;
    end if;
    return new;
end
$$;
comment on function app.contract_guarded is
    'Trigger: only an administrator may remove an executed copy or replace a sealed one.';
create trigger guard before update on app.contracts for each row execute function app.contract_guarded();

create view app.contract_records with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name,
    app.contract_status(
        contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
    ) as status,
    contract.template_id, contract.deal_id, deal.title as deal_title, contract.company_id, company.name as company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.fields, contract.content,
    contract.unresolved_tags, contract.missing_glyphs,
    case
        when contract.status in ('active', 'executed') and contract.unresolved_tags <> '{}'
            then jsonb_build_array(jsonb_build_object(
                'code', 'unresolved_tags',
                'message', 'The contract is in force, and these tags had no value: '
                    || array_to_string(contract.unresolved_tags, ', ') || '.'))
        else '[]'
    end || contract.edit_warnings || contract.warnings as warnings,
    contract.edited, contract.revision,
    (
        select to_json(stored)
        from (
            select
                file.filename, file.content_type, file.size, file.sha256, app.iso(file.created_at) as uploaded_at
            from app.files as file
            where file.organization_id = contract.organization_id and file.id = contract.executed_file_id
        ) as stored
    ) as executed_file,
    contract.created_by,
    app.created_by_kind(contract.created_by, contract.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = contract.created_by),
        (select key.name from app.api_keys as key where key.id = contract.created_by_key)
    ) as created_by_name,
    app.iso(contract.created_at) as created_at, app.iso(contract.updated_at) as updated_at, contract.external_id
from app.contracts as contract
join app.organizations as organization on organization.id = contract.organization_id
left join app.deals as deal on deal.organization_id = contract.organization_id and deal.id = contract.deal_id
left join app.companies as company
    on company.organization_id = contract.organization_id and company.id = contract.company_id;
comment on view app.contract_records is
    'Contracts with the shown status, as the API returns them; lists omit the content.';
call app.present('app.contract_records', 'pipeline_member', 'app.contracts');
comment on column app.contract_records.status is
    'draft, active, executed, expired, terminated or archived. An active or executed contract is expired after its '
    'term.';
comment on column app.contract_records.company_name is 'Name of the licensee.';
comment on column app.contract_records.warnings is
    'Warnings with code and message: unresolved_tags of an active or executed contract; for an edited text the parts '
    'that were removed, as in a template; for a PDF as executed copy '
    'number_not_in_copy, or number_not_checked if it has no text.';
comment on column app.contract_records.executed_file is
    'The signed copy: filename, content_type, size, sha256 and uploaded_at; null without one.';

create view app.listed_contracts with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name, contract.status,
    contract.template_id, contract.deal_id, contract.deal_title, contract.company_id, contract.company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.fields,
    contract.unresolved_tags, contract.missing_glyphs, contract.edited, contract.revision, contract.executed_file,
    contract.created_by, contract.created_by_kind, contract.created_by_name, contract.created_at, contract.updated_at,
    contract.external_id
from app.contract_records as contract;
comment on view app.listed_contracts is 'Contracts without content and warnings, as lists return them.';
call app.present('app.listed_contracts', 'pipeline_member', 'app.contract_records');

create table app.contract_documents (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    contract_id bigint not null,
    revision integer not null,
    kind text not null check (kind in ('pdf', 'docx', 'executed')),
    file_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, file_id) references app.files
);
comment on table app.contract_documents is
    'The files of contracts: rendered documents of each revision, and signed copies.';
comment on column app.contract_documents.revision is 'The revision of the document.';
comment on column app.contract_documents.kind is 'pdf, docx or executed.';

call app.isolate('app.contract_documents', 'pipeline_member', 'pipeline_jobs');

-- One rendering of a revision for each kind.
create unique index contract_documents_rendered
    on app.contract_documents (organization_id, contract_id, revision, kind) where kind <> 'executed';
create index contract_documents_contract on app.contract_documents (organization_id, contract_id);
-- For the foreign key.
create index contract_documents_file on app.contract_documents (organization_id, file_id);

grant select, insert (organization_id, contract_id, revision, kind, file_id)
    on app.contract_documents to pipeline_member, pipeline_jobs;
-- An erasure deletes documents with the person's name.
grant delete on app.contract_documents to pipeline_admin;
grant select (organization_id, contract_id, revision, kind) on app.contract_documents to pipeline_lookup;

set local role pipeline_lookup;

create function app.contract_rendered() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if new.kind = 'executed' then
        return null;
    end if;
    -- Orders the two documents of a revision, so that the second sees both.
    perform pg_advisory_xact_lock(hashtextextended('contract_rendered', new.contract_id));
    if (select count(*) = 2 from app.contract_documents document
        join app.contracts contract on contract.organization_id = document.organization_id
            and contract.id = document.contract_id and contract.revision = document.revision
        where document.organization_id = new.organization_id and document.contract_id = new.contract_id
          and document.revision = new.revision and document.kind <> 'executed') then
        perform app.change_folded(new.organization_id, 'contracts', new.contract_id, null, null, 'documents', null,
            jsonb_build_array('docx', 'pdf'));
    end if;
    return null;
end
$$;
comment on function app.contract_rendered is
    'Trigger: records a change of the contract when its current revision has both documents.';
grant execute on function app.contract_rendered to pipeline_owner;

set local role pipeline_owner;
create trigger record_rendered after insert on app.contract_documents
    for each row execute function app.contract_rendered();

-- A failed rendering takes the full time limit; stored, it makes the next request fail at once.
create table app.contract_refusals (
    organization_id bigint not null references app.organizations (id),
    contract_id bigint not null,
    kind text not null check (kind in ('pdf', 'docx')),
    revision integer not null check (revision >= 1),
    code text not null check (code in ('document_too_complex', 'unavailable')),
    reason text not null,
    limits integer[] not null,
    until timestamptz not null,
    primary key (organization_id, contract_id, kind),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade
);
comment on table app.contract_refusals is 'Failed renderings of the newest attempted revision.';
comment on column app.contract_refusals.kind is 'pdf or docx.';
comment on column app.contract_refusals.revision is 'The attempted revision.';
comment on column app.contract_refusals.code is 'The error code of the response.';
comment on column app.contract_refusals.reason is 'The error message of the response.';
comment on column app.contract_refusals.limits is 'The limits of the attempt.';
comment on column app.contract_refusals.until is 'When the next attempt is allowed.';

call app.isolate('app.contract_refusals', 'pipeline_member', 'pipeline_jobs');

grant select, insert (organization_id, contract_id, kind, revision, code, reason, limits, until),
    update (revision, code, reason, limits, until)
    on app.contract_refusals to pipeline_member, pipeline_jobs;

-- Earlier contents, for comparing revisions.
create table app.contract_revisions (
    organization_id bigint not null references app.organizations (id),
    contract_id bigint not null,
    revision integer not null check (revision >= 1),
    content text not null,
    edited boolean not null default false,
    replaced_at timestamptz not null default now(),
    primary key (organization_id, contract_id, revision),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade
);
comment on table app.contract_revisions is 'Contents of contracts that later revisions have replaced.';
comment on column app.contract_revisions.revision is 'Number of the revision.';
comment on column app.contract_revisions.content is 'The content as HTML, with merge tags resolved.';
comment on column app.contract_revisions.edited is 'Whether the text was edited by hand.';
comment on column app.contract_revisions.replaced_at is 'When the next revision was created.';

call app.isolate('app.contract_revisions', 'pipeline_member');

grant select, insert (organization_id, contract_id, revision, content, edited)
    on app.contract_revisions to pipeline_member;
-- Only the erasure of a person updates a text.
grant update (content) on app.contract_revisions to pipeline_admin;

create function app.contract_made() returns trigger language plpgsql as $$
begin
    insert into app.outbox (organization_id, event, key, payload, request_id)
    values (new.organization_id, 'contract_documents', concat_ws(':', 'contract_documents', new.id, new.revision),
            jsonb_build_object('contract_id', new.id, 'revision', new.revision),
            nullif(current_setting('app.request_id', true), ''));
    return null;
end
$$;
comment on function app.contract_made is 'Trigger: raises the event for rendering the documents of a revision.';
-- Each statement that makes a text sets missing_glyphs. Erased texts are rendered on demand.
create trigger made after insert or update of missing_glyphs on app.contracts for each row
    when (current_user in ('pipeline_member', 'pipeline_admin')) execute function app.contract_made();

create function app.contract_kept() returns trigger language plpgsql as $$
begin
    if tg_argv[0] = 'revision' then
        insert into app.contract_revisions (organization_id, contract_id, revision, content, edited)
        values (old.organization_id, old.id, old.revision, old.content, old.edited);
    else
        insert into app.contract_documents (organization_id, contract_id, revision, kind, file_id)
        values (new.organization_id, new.id, new.revision, 'executed', new.executed_file_id);
    end if;
    return null;
end
$$;
comment on function app.contract_kept is 'Trigger: stores the replaced content of a revision, and each signed copy.';
create trigger keep_revision after update of revision on app.contracts for each row
    when (new.revision <> old.revision) execute function app.contract_kept('revision');
create trigger keep_executed after update of executed_file_id on app.contracts for each row
    when (new.executed_file_id is distinct from old.executed_file_id and new.executed_file_id is not null)
    execute function app.contract_kept('executed');
