"""The other records that several statements answer with, each in one place, like a lead (0018).

The views have their caller's rights, so row-level security binds whoever reads them, and they dissolve into the
statements that name them. A join that a statement does not ask for is not made.
"""

from pipeline.database.migrations import owned

revision = "0021"
down_revision = "0020"

CUSTOMERS = """
create view app.company_records with (security_invoker = true) as
select
    company.id, company.organization_id, company.name, company.legal_name, company.registration_number, company.vat_id,
    company.email, company.phone, company.website, company.street, company.city, company.region, company.postal_code,
    company.country, app.iso(company.created_at) as created_at, app.iso(company.updated_at) as updated_at
from app.companies as company;
comment on view app.company_records is 'Companies as the API gives them.';

create view app.contact_records with (security_invoker = true) as
select
    contact.id, contact.organization_id, contact.first_name, contact.last_name, contact.name, contact.email,
    contact.phone, contact.job_title, contact.company_id, company.name as company_name,
    app.iso(contact.created_at) as created_at, app.iso(contact.updated_at) as updated_at
from app.contacts as contact
left join app.companies as company
    on company.organization_id = contact.organization_id and company.id = contact.company_id;
comment on view app.contact_records is 'Contacts with the name of their company, as the API gives them.';
"""

DEALS = """
create view app.deal_stage_records with (security_invoker = true) as
select
    stage.id, stage.organization_id, stage.name, stage.position,
    app.iso(stage.created_at) as created_at, app.iso(stage.updated_at) as updated_at
from app.deal_stages as stage;
comment on view app.deal_stage_records is 'Deal stages as the API gives them.';

create view app.deal_records with (security_invoker = true) as
select
    deal.id, deal.organization_id, deal.title, app.money(deal.value_minor) as value, deal.currency, deal.stage_id,
    stage.name as stage_name, deal.company_id, company.name as company_name, deal.contact_id,
    contact.name as contact_name, deal.owner_id, owner.name as owner_name, deal.expected_close_date, deal.product_line,
    app.iso(deal.created_at) as created_at, app.iso(deal.updated_at) as updated_at
from app.deals as deal
left join app.deal_stages as stage on stage.organization_id = deal.organization_id and stage.id = deal.stage_id
left join app.companies as company on company.organization_id = deal.organization_id and company.id = deal.company_id
left join app.contacts as contact on contact.organization_id = deal.organization_id and contact.id = deal.contact_id
left join app.users as owner on owner.id = deal.owner_id;
comment on view app.deal_records is 'Deals with the names of what they refer to, as the API gives them.';
"""

CONFIGURATOR = """
create view app.configurator_definition_records with (security_invoker = true) as
select
    definition.id, definition.organization_id, definition.name, definition.slug, definition.active,
    definition.platform_keys, definition.feature_keys, definition.license_types,
    app.iso(definition.created_at) as created_at, app.iso(definition.updated_at) as updated_at
from app.configurator_definitions as definition;
comment on view app.configurator_definition_records is 'Configurator definitions as the API gives them.';

create view app.configuration_records with (security_invoker = true) as
select
    configuration.id, configuration.organization_id, configuration.deal_id, deal.title as deal_title,
    configuration.definition_id, definition.name as definition_name, configuration.invite_id, configuration.status,
    configuration.platform_keys, configuration.feature_keys, configuration.license_type, configuration.quantity,
    app.iso(configuration.created_at) as created_at, app.iso(configuration.updated_at) as updated_at
from app.configurations as configuration
join app.deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
join app.configurator_definitions as definition
    on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id;
comment on view app.configuration_records is
    'Configurations with the names of deal and definition, as the API gives them.';
"""

PEOPLE = """
create view app.team_records with (security_invoker = true) as
select
    team.id, team.organization_id, team.name,
    app.iso(team.created_at) as created_at, app.iso(team.updated_at) as updated_at
from app.teams as team;
comment on view app.team_records is 'Teams as the API gives them.';

create view app.user_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, account.email, account.name, seat.role, seat.seat_active, seat.team_id,
    team.name as team_name, app.iso(seat.created_at) as created_at,
    app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
join app.users as account on account.id = seat.user_id
left join app.teams as team on team.organization_id = seat.organization_id and team.id = seat.team_id;
comment on view app.user_records is 'Users as the seats that they have here, as the API gives them.';

create view app.notification_records with (security_invoker = true) as
select
    notification.id, notification.organization_id, notification.event, notification.title, notification.body,
    notification.data, app.iso(notification.read_at) as read_at, app.iso(notification.created_at) as created_at,
    app.iso(coalesce(notification.read_at, notification.created_at)) as updated_at
from app.notifications as notification;
comment on view app.notification_records is 'Notifications as the API gives them; a caller sees their own.';
"""

CONTRACTS = """
create view app.contract_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.content, template.number_prefix,
    template.default_term_months, template.header_left, template.header_center, template.header_right,
    template.footer_left, template.footer_center, template.footer_right,
    case
        when logo.id is not null
            then json_build_object(
                'filename', logo.filename,
                'content_type', logo.content_type,
                'size', logo.size,
                'sha256', logo.sha256,
                'uploaded_at', app.iso(logo.created_at)
            )
    end as logo,
    app.iso(template.created_at) as created_at, app.iso(template.updated_at) as updated_at
from app.contract_templates as template
left join app.files as logo on logo.organization_id = template.organization_id and logo.id = template.logo_file_id
where template.deleted_at is null;
comment on view app.contract_template_records is
    'Contract templates that are not deleted, as the API gives them; its list leaves the content out.';

create view app.contract_records with (security_invoker = true) as
select
    contract.id, contract.organization_id, contract.contract_number, contract.name,
    app.contract_status(
        contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
    ) as status,
    contract.template_id, contract.deal_id, deal.title as deal_title, contract.company_id, company.name as company_name,
    contract.effective_date, contract.term_months, contract.termination_date, contract.content,
    contract.unresolved_tags, contract.revision,
    (
        select to_json(stored)
        from (
            select
                file.filename, file.content_type, file.size, file.sha256, app.iso(file.created_at) as uploaded_at
            from app.files as file
            where file.organization_id = contract.organization_id and file.id = contract.executed_file_id
        ) as stored
    ) as executed_file,
    contract.created_by, app.iso(contract.created_at) as created_at, app.iso(contract.updated_at) as updated_at
from app.contracts as contract
join app.organizations as organization on organization.id = contract.organization_id
left join app.deals as deal on deal.organization_id = contract.organization_id and deal.id = contract.deal_id
left join app.companies as company
    on company.organization_id = contract.organization_id and company.id = contract.company_id;
comment on view app.contract_records is
    'Contracts with the status to show, as the API gives them; its list leaves the content out.';
"""

GRANTS = """
grant select on
    app.company_records, app.contact_records, app.deal_stage_records, app.deal_records,
    app.configurator_definition_records, app.configuration_records, app.team_records, app.user_records,
    app.notification_records, app.contract_template_records, app.contract_records
to pipeline_member;
"""


def upgrade():
    """Apply the revision."""
    owned(CUSTOMERS)
    owned(DEALS)
    owned(CONFIGURATOR)
    owned(PEOPLE)
    owned(CONTRACTS)
    owned(GRANTS)
