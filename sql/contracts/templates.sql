--:name contract_template_list :one
--:doc A page of contract templates without content, with the total; indexes for orders.
with filtered as not materialized (
    select template.*
    from contract_templates as template
    where
        template.deleted_at is null
        and template.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and template.search_text like all(like_patterns(cast(:search as text[]))) --? search
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
                template.name, --* contract_template, !content
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
--:fields contract_template: name, content, number_prefix, default_term_months, header_left, header_center, header_right,
--:fields contract_template: footer_left, footer_center, footer_right, language, direction
insert into contract_templates (
    missing_glyphs,
    warnings,
    clauses,
    name --* contract_template
)
values (
    cast(:missing_glyphs as jsonb),
    cast(:warnings as jsonb),
    cast(:clauses as text[]),
    :name --* contract_template
)
returning id;

--:name contract_template_lock :one
--:doc Lock and return a contract template's writable fields; primary key.
select
    template.name --* contract_template
from contract_templates as template
where template.id = cast(:id as bigint) and template.deleted_at is null
for update;

--:name contract_template_update :affected
--:doc Replace a contract template's fields; primary key.
update contract_templates as template
set
    name = :name, --* contract_template
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
