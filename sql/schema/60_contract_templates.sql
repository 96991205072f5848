-- Contract templates: HTML with merge tags, or an author's Word file. Deleted ones keep their rows for contracts.

set local role pipeline_owner;

create table app.contract_templates (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    content text not null,
    number_prefix text not null default 'RO' check (number_prefix ~ '^[A-Z0-9][A-Z0-9-]{0,9}$'),
    default_term_months integer not null default 36 check (default_term_months between 1 and 1200),
    header_left text,
    header_center text,
    header_right text,
    footer_left text,
    footer_center text,
    footer_right text,
    logo_file_id bigint,
    language text,
    direction text check (direction in ('ltr', 'rtl')),
    page_size text not null default 'A4' check (page_size in ('A4', 'Letter')),
    orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
    watermark text check (length(watermark) between 1 and 30),
    missing_glyphs jsonb not null default '[]' check (jsonb_typeof(missing_glyphs) = 'array'),
    warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
    clauses text[] not null default '{}',
    word jsonb check (jsonb_typeof(word) = 'object'),
    revision integer not null default 1,
    deleted_at timestamptz,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null generated always as (app.searched(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, logo_file_id) references app.files
);
comment on table app.contract_templates is 'Templates of contracts.';
comment on column app.contract_templates.name is 'Name of the template.';
comment on column app.contract_templates.content is 'The text: HTML with merge tags.';
comment on column app.contract_templates.number_prefix is 'Prefix of the contracts'' numbers.';
comment on column app.contract_templates.default_term_months is 'Default term of the contracts in months.';
comment on column app.contract_templates.header_left is 'Text at the top left of each page, with merge tags.';
comment on column app.contract_templates.header_center is 'Text at the top center of each page, with merge tags.';
comment on column app.contract_templates.header_right is 'Text at the top right of each page, with merge tags.';
comment on column app.contract_templates.footer_left is 'Text at the bottom left of each page, with merge tags.';
comment on column app.contract_templates.footer_center is 'Text at the bottom center of each page, with merge tags.';
comment on column app.contract_templates.footer_right is 'Text at the bottom right of each page, with merge tags.';
comment on column app.contract_templates.logo_file_id is 'The logo, a file.';
comment on column app.contract_templates.language is
    'Language of the contracts, a BCP 47 tag; null for the organization''s.';
comment on column app.contract_templates.direction is
    'Text direction of the contracts, ltr or rtl; null for the direction of the language.';
comment on column app.contract_templates.page_size is 'Paper of the contracts: A4 or Letter.';
comment on column app.contract_templates.orientation is 'Orientation of the pages: portrait or landscape.';
comment on column app.contract_templates.watermark is
    'Text across each page of drafts that are not out for signature; null for none.';
comment on column app.contract_templates.missing_glyphs is
    'Characters missing in all fonts when the template was saved: character, name and first place.';
comment on column app.contract_templates.warnings is
    'Parts of the last sent content that a template cannot keep: code and message.';
comment on column app.contract_templates.clauses is 'The keys of the clauses in the content.';
comment on column app.contract_templates.word is
    'The Word files of contracts, the first with the text and further ones as schedules, and their text as HTML with '
    'merge tags; null for contracts of the content.';
comment on column app.contract_templates.revision is 'The number of changes.';
comment on column app.contract_templates.search_text is 'Searched text: the name.';

call app.share('app.contract_templates');
call app.record_changes('app.contract_templates', 'contract-templates',
    '{name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right, logo_file_id, language, direction, page_size, orientation, watermark, clauses, revision, deleted_at}',
    p_ended => 'deleted_at');

-- Orders of the list, and the filter by update time.
create index contract_templates_name on app.contract_templates (organization_id, name_key, id)
    where deleted_at is null;
create index contract_templates_created on app.contract_templates (organization_id, created_at, id)
    where deleted_at is null;
create index contract_templates_updated on app.contract_templates (organization_id, updated_at, id)
    where deleted_at is null;
-- For deleting files.
create index contract_templates_logo on app.contract_templates (organization_id, logo_file_id);

grant
    insert (organization_id, name, content, number_prefix, default_term_months, header_left, header_center,
        header_right, footer_left, footer_center, footer_right, language, direction, page_size, orientation, watermark,
        missing_glyphs, warnings, clauses, logo_file_id),
    update (name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
        footer_center, footer_right, language, direction, page_size, orientation, watermark, missing_glyphs, warnings,
        clauses, logo_file_id, word, revision, deleted_at)
    on app.contract_templates to pipeline_admin;

create view app.contract_template_records with (security_invoker = true) as
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
comment on view app.contract_template_records is
    'Contract templates that are not deleted, as the API returns them; lists omit the content.';
call app.present('app.contract_template_records', 'pipeline_member', 'app.contract_templates');
comment on column app.contract_template_records.source is
    'What contracts are made of: html for the content, or word for the Word file.';
comment on column app.contract_template_records.word_file is
    'The Word file: filename, content_type, size, sha256 and uploaded_at; null without one.';
comment on column app.contract_template_records.logo is
    'The logo: filename, content_type, size, sha256 and uploaded_at; null without one.';
