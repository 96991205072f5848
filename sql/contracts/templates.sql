--:name contract_template_list :one
--:doc A page of contract templates without content, with the total; indexes for orders.
with filtered as not materialized (
    select template.*
    from contract_templates as template
    where
        template.deleted_at is null
        and template.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and found(template.search_text, cast(:search as text[])) --? search
        and template.id > cast(:after_id as bigint) --? after_id
        and template.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select template.id
                from filtered as template
                order by
                    template.organization_id
                    , template.id asc --? after_id
                    , template.name_key asc, template.id asc --/ sort_by=name
                    , template.created_at asc, template.id asc --/ sort_by=created_at
                    , template.updated_at asc, template.id asc --/ sort_by=updated_at
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        cross join lateral (
            select
                template.id,
                template.organization_id,
                template.name, template.number_prefix, template.default_term_months, template.header_left,
                template.header_center, template.header_right, template.footer_left, template.footer_center,
                template.footer_right, template.language, template.direction, template.page_size,
                template.orientation,
                template.watermark,
                template.source,
                template.word_file,
                template.missing_glyphs,
                template.warnings,
                template.logo,
                template.created_by,
                template.created_by_kind,
                template.created_by_name,
                template.created_at,
                template.updated_at
            from contract_template_records as template
            where template.id = page.id
        ) as record
    ) as data;

--:name contract_template_get :one
--:doc One contract template; primary key.
select template.*
from contract_template_records as template
where template.id = cast(:id as bigint);

--:name contract_template_insert :scalar
--:doc Insert a contract template; returns its id.
insert into contract_templates (
    missing_glyphs,
    warnings,
    clauses,
    name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right, language, direction, page_size, orientation, watermark
)
values (
    cast(:missing_glyphs as jsonb),
    cast(:warnings as jsonb),
    cast(:clauses as text[]),
    :name, :content, :number_prefix, :default_term_months, :header_left, :header_center, :header_right,
    :footer_left, :footer_center, :footer_right, :language, :direction, :page_size, :orientation, :watermark
)
returning id;

--:name contract_template_lock :one
--:doc Lock and return a contract template's writable fields; primary key.
select
    template.name, template.content, template.number_prefix, template.default_term_months, template.header_left,
    template.header_center, template.header_right, template.footer_left, template.footer_center,
    template.footer_right, template.language, template.direction, template.page_size, template.orientation,
    template.watermark
from contract_templates as template
where template.id = cast(:id as bigint) and template.deleted_at is null
for update;

--:name contract_template_word :one
--:doc Lock a contract template and return its content and Word files; primary key.
select template.content, template.word
from contract_templates as template
where template.id = cast(:id as bigint) and template.deleted_at is null
for update;

--:name contract_template_set_word :affected
--:doc Replace a contract template's Word files; primary key.
update contract_templates as template
set
    word = cast(:word as jsonb),
    clauses = cast(:clauses as text[]),
    revision = template.revision + 1
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_word_file :scalar
--:doc The file id of a contract template's Word file, or null; primary key.
select cast(template.word -> 'files' -> 0 ->> 'id' as bigint)
from contract_templates as template
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_update :affected
--:doc Replace a contract template's fields; primary key.
update contract_templates as template
set
    name = :name,
    content = :content,
    number_prefix = :number_prefix,
    default_term_months = :default_term_months,
    header_left = :header_left,
    header_center = :header_center,
    header_right = :header_right,
    footer_left = :footer_left,
    footer_center = :footer_center,
    footer_right = :footer_right,
    language = :language,
    direction = :direction,
    page_size = :page_size,
    orientation = :orientation,
    watermark = :watermark,
    missing_glyphs = cast(:missing_glyphs as jsonb),
    warnings = coalesce(cast(:warnings as jsonb), template.warnings),
    clauses = cast(:clauses as text[]),
    revision = template.revision + 1
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_delete :affected
--:doc Mark a contract template as deleted; its contracts keep it; primary key.
update contract_templates as template
set deleted_at = now()
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_set_logo :affected
--:doc Set or remove a contract template's logo; primary key.
update contract_templates as template
set logo_file_id = cast(:file_id as bigint), revision = template.revision + 1
where
    template.id = cast(:id as bigint)
    and template.deleted_at is null
    and template.logo_file_id is distinct from cast(:file_id as bigint);

--:name contract_template_schedules :many
--:doc Word files in the order of their ids; primary key.
select file.id, file.filename, file.size, file.sha256, iso(file.created_at) as uploaded_at
from unnest(cast(:ids as bigint[])) with ordinality as wanted (id, place)
inner join files as file on file.id = wanted.id
order by wanted.place;
