"""Contract templates, contracts, their numbers and documents.

A contract keeps its resolved content and layout, so that a later change of the template changes no contract.
Numbers come from a counter row for each organization and prefix, taken in the creating transaction: a
rollback
leaves no gap and two creations never get the same number.

Rendered documents are stored for each revision, executed copies stay as history; contracts.executed_file_id
is
the copy in force. Taking that copy away without a new one is the administrators' right alone.
"""

from pipeline.database.migrations import owned, tenant_table

revision = "0007"
down_revision = "0006"

TEMPLATES = """
    name text not null check (length(name) between 1 and 255),
    content text not null,
    number_prefix text not null default 'RO' check (number_prefix ~ '^[A-Z0-9][A-Z0-9-]{0,9}$'),
    default_term_months integer not null default 36 check (default_term_months between 1 and 1200),
    header_left text, header_center text, header_right text,
    footer_left text, footer_center text, footer_right text,
    logo_file_id bigint,
    revision integer not null default 1,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, logo_file_id) references app.files
"""

TEMPLATE_GRANTS = """
create index contract_templates_logo on app.contract_templates (organization_id, logo_file_id);
create policy member on app.contract_templates to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.contract_templates to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, name, content, number_prefix, default_term_months, header_left,
        header_center, header_right, footer_left, footer_center, footer_right, logo_file_id),
    update (name, content, number_prefix, default_term_months, header_left, header_center, header_right,
        footer_left, footer_center, footer_right, logo_file_id, revision, deleted_at)
    on app.contract_templates to pipeline_admin;
"""

NUMBERS = """
    prefix text not null,
    last_number bigint not null check (last_number >= 1)
"""

CONTRACTS = """
    contract_number text collate "C" not null,
    name text not null check (length(name) between 1 and 600),
    status text not null default 'draft'
        check (status in ('draft', 'active', 'executed', 'expired', 'terminated', 'archived')),
    template_id bigint not null,
    deal_id bigint, company_id bigint,
    effective_date date not null,
    term_months integer not null check (term_months between 1 and 1200),
    termination_date date not null,
    content text not null,
    layout jsonb not null default '{}' check (jsonb_typeof(layout) = 'object'),
    unresolved_tags text[] not null default '{}',
    revision integer not null default 1 check (revision >= 1),
    executed_file_id bigint,
    created_by bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, contract_number),
    foreign key (organization_id, template_id) references app.contract_templates,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, executed_file_id) references app.files,
    foreign key (organization_id, created_by) references app.organization_users
"""

DOCUMENTS = """
    contract_id bigint not null,
    revision integer not null,
    kind text not null check (kind in ('pdf', 'docx', 'executed')),
    file_id bigint not null,
    created_at timestamptz not null default now(),
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, file_id) references app.files
"""

GRANTS = """
comment on column app.contracts.layout is
    'Resolved header and footer texts and the logo, as they were at this revision.';
create index contracts_name on app.contracts (organization_id, name_key, id);
create index contracts_template on app.contracts (organization_id, template_id);
create index contracts_deal on app.contracts (organization_id, deal_id);
create index contracts_company on app.contracts (organization_id, company_id);
create index contracts_executed_file on app.contracts (organization_id, executed_file_id);
create index contracts_effective on app.contracts (organization_id, effective_date, id);
create index contracts_termination on app.contracts (organization_id, termination_date, id);
create index contracts_created on app.contracts (organization_id, created_at, id);
create index contracts_status on app.contracts (organization_id, status, id);
create unique index contract_documents_rendered on app.contract_documents (organization_id, contract_id,
    revision, kind)
    where kind <> 'executed';
create index contract_documents_contract on app.contract_documents (organization_id, contract_id);
create index contract_documents_file on app.contract_documents (organization_id, file_id);

create function app.contract_status(status text, termination_date date, today date) returns text
    language sql immutable parallel safe
    return case when status in ('active', 'executed')
        and termination_date < today then 'expired' else status end;
comment on function app.contract_status is
    'The status to show and to filter by; today is the day in the organization''s time zone.';
grant execute on function app.contract_status to pipeline_app, pipeline_jobs, pipeline_member;

create function app.contract_guarded() returns trigger language plpgsql as $$
begin
    if old.executed_file_id is not null and new.executed_file_id is null
       and not pg_has_role(current_user, 'pipeline_admin', 'usage') then
        raise exception 'only an administrator may remove an executed copy' using errcode = '42501';
    end if;
    return new;
end
$$;
create trigger guard before update on app.contracts for each row execute function app.contract_guarded();

create policy member on app.contract_numbers to pipeline_member using (true) with check (true);
grant select, insert (organization_id, prefix, last_number), update (last_number)
    on app.contract_numbers to pipeline_member;

create policy member on app.contracts to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.contracts to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, contract_number, name, status, template_id, deal_id, company_id,
        effective_date, term_months, termination_date, content, layout, unresolved_tags, created_by),
    update (name, status, template_id, deal_id, company_id, effective_date, term_months, termination_date,
        content, layout, unresolved_tags, revision, executed_file_id), delete
    on app.contracts to pipeline_member;
grant update (status) on app.contracts to pipeline_jobs;

create policy member on app.contract_documents to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select, insert (organization_id, contract_id, revision, kind, file_id)
    on app.contract_documents to pipeline_member, pipeline_jobs;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("contract_templates", TEMPLATES)
    owned(TEMPLATE_GRANTS)
    tenant_table("contract_numbers", NUMBERS, key="prefix")
    tenant_table("contracts", CONTRACTS)
    tenant_table("contract_documents", DOCUMENTS)
    owned(GRANTS)
