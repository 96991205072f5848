"""Add an external id to contracts.

A contract can be found by its id in another system.

Release: the release before this one goes on serving, since the column may be null.

Rollback: nothing; the former release does not show the column.
"""

from pipeline.database import migrations

revision = "0017"
down_revision = "0016"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.contracts
    add column external_id text check (length(external_id) between 1 and 255);
comment on column app.contracts.external_id is
    'Id in another system; unique among the organization''s records of this kind.';
grant insert (external_id), update (external_id) on app.contracts to pipeline_member;
call app.record_changes('app.contracts', 'contracts',
    '{contract_number, name, status, template_id, deal_id, company_id, effective_date, term_months, termination_date,
    content, layout, fields, unresolved_tags, edited, revision, executed_file_id, external_id}');
create or replace view app.contract_records with (security_invoker = true) as
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
create or replace view app.listed_contracts with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name, contract.status,
    contract.template_id, contract.deal_id, contract.deal_title, contract.company_id, contract.company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.fields,
    contract.unresolved_tags, contract.missing_glyphs, contract.edited, contract.revision, contract.executed_file,
    contract.created_by, contract.created_by_kind, contract.created_by_name, contract.created_at, contract.updated_at,
    contract.external_id
from app.contract_records as contract;
call app.present('app.listed_contracts', 'pipeline_member', 'app.contract_records');
""")
