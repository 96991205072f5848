"""Make contracts of Word files.

Release: the former release makes contracts of a template's content, whatever file it has.

Rollback: the templates' Word files are lost.
"""

from pipeline.database import migrations

revision = "0045"
down_revision = "0044"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.contract_templates add column word jsonb check (jsonb_typeof(word) = 'object');
comment on column app.contract_templates.word is
    'The Word files of contracts, the first with the text and further ones as schedules, and their text as HTML with '
    'merge tags; null for contracts of the content.';
grant update (word) on app.contract_templates to pipeline_admin;
call app.touch_changed('app.contract_templates');

create or replace view app.contract_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.content, template.number_prefix,
    template.default_term_months, template.header_left, template.header_center, template.header_right,
    template.footer_left, template.footer_center, template.footer_right, template.language, template.direction,
    coalesce(template.word -> 'missing_glyphs', template.missing_glyphs) as missing_glyphs,
    coalesce(template.word -> 'warnings', template.warnings) as warnings,
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
    template.orientation, template.watermark,
    case when template.word is null then 'html' else 'word' end as source,
    case
        when word.id is not null
            then json_build_object(
                'filename', word.filename,
                'content_type', word.content_type,
                'size', word.size,
                'sha256', word.sha256,
                'uploaded_at', app.iso(word.created_at)
            )
    end as word_file
from app.contract_templates as template
left join app.files as logo on logo.organization_id = template.organization_id and logo.id = template.logo_file_id
left join app.files as word
    on word.organization_id = template.organization_id
    and word.id = cast(template.word -> 'files' -> 0 ->> 'id' as bigint)
where template.deleted_at is null;

comment on column app.contract_template_records.source is
    'What contracts are made of: html for the content, or word for the Word file.';
comment on column app.contract_template_records.word_file is
    'The Word file: filename, content_type, size, sha256 and uploaded_at; null without one.';
""")
