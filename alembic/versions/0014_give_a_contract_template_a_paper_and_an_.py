"""Give a contract template a paper and an orientation.

Contracts print on A4 or Letter, upright or landscape.

Release: the release before this one goes on serving, since the columns have constant defaults.

Rollback: nothing; the former release prints on A4 again.
"""

from pipeline.database import migrations

revision = "0014"
down_revision = "0013"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.contract_templates
    add column page_size text not null default 'A4' check (page_size in ('A4', 'Letter')),
    add column orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape'));
comment on column app.contract_templates.page_size is 'Paper of the contracts: A4 or Letter.';
comment on column app.contract_templates.orientation is 'Orientation of the pages: portrait or landscape.';
grant insert (page_size, orientation), update (page_size, orientation) on app.contract_templates to pipeline_admin;
call app.record_changes('app.contract_templates', 'contract-templates',
    '{name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right, logo_file_id, language, direction, page_size, orientation, clauses, revision,
    deleted_at}',
    p_ended => 'deleted_at');
create or replace view app.contract_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.content, template.number_prefix,
    template.default_term_months, template.header_left, template.header_center, template.header_right,
    template.footer_left, template.footer_center, template.footer_right, template.language, template.direction,
    template.missing_glyphs, template.warnings,
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
    template.created_by, app.created_by_kind(template.created_by, template.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = template.created_by),
        (select key.name from app.api_keys as key where key.id = template.created_by_key)
    ) as created_by_name,
    app.iso(template.created_at) as created_at, app.iso(template.updated_at) as updated_at, template.page_size,
    template.orientation
from app.contract_templates as template
left join app.files as logo on logo.organization_id = template.organization_id and logo.id = template.logo_file_id
where template.deleted_at is null;
call app.present('app.contract_template_records', 'pipeline_member', 'app.contract_templates');
comment on column app.contract_template_records.logo is
    'The logo: filename, content_type, size, sha256 and uploaded_at; null without one.';
""")
