"""Give a contract template a watermark for drafts.

Drafts print it across each page.

Release: the release before this one goes on serving, since the column is null by default.

Rollback: nothing; the former release prints no watermark.
"""

from pipeline.database import migrations

revision = "0043"
down_revision = "0042"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.contract_templates add column watermark text check (length(watermark) between 1 and 30);
comment on column app.contract_templates.watermark is
    'Text across each page of drafts that are not out for signature; null for none.';
grant insert (watermark), update (watermark) on app.contract_templates to pipeline_admin;
call app.record_changes('app.contract_templates', 'contract-templates',
    '{name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right, logo_file_id, language, direction, page_size, orientation, watermark, clauses,
    revision, deleted_at}',
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
    template.orientation, template.watermark
from app.contract_templates as template
left join app.files as logo on logo.organization_id = template.organization_id and logo.id = template.logo_file_id
where template.deleted_at is null;
call app.present('app.contract_template_records', 'pipeline_member', 'app.contract_templates');
comment on column app.contract_template_records.logo is
    'The logo: filename, content_type, size, sha256 and uploaded_at; null without one.';
""")
