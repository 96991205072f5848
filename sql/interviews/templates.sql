--:name interview_template_list :one
--:doc A page of templates with current versions and the total; indexes for orders.
with filtered as not materialized (
    select template.*
    from interview_templates as template
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
                    , template.slug asc, template.id asc --/ sort_by=slug
                    , template.created_at asc, template.id asc --/ sort_by=created_at
                    , template.updated_at asc, template.id asc --/ sort_by=updated_at
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join interview_template_records as record on record.id = page.id
    ) as data;

--:name interview_template_get :one
--:doc One template with its current version; primary keys.
select template.*
from interview_template_records as template
where template.id = cast(:id as bigint);

--:name interview_template_insert :scalar
--:doc Insert a template without version; returns its id.
insert into interview_templates (name, slug, public_slug, lead_capture_enabled)
values (:name, :slug, :public_slug, :lead_capture_enabled)
returning id;

--:name interview_template_update :scalar
--:doc Lock a template and change its unversioned fields; returns the id.
update interview_templates
set
    name = :name,
    slug = :slug,
    public_slug = :public_slug,
    lead_capture_enabled = :lead_capture_enabled
where id = cast(:id as bigint) and deleted_at is null
returning id;

--:name interview_template_add_version :affected
--:doc Insert a version with new content, by default in the organization's language; a trigger makes it current.
insert into interview_template_versions (
    template_id,
    version,
    pages, questions, branding, thank_you, hints, field_map, translations, hidden_fields, embed_origins,
    name,
    language,
    created_by
)
select
    template.id,
    coalesce(newest.version, 0) + 1,
    cast(:pages as jsonb),
    cast(:questions as jsonb),
    cast(:branding as jsonb),
    cast(:thank_you as jsonb),
    cast(:hints as jsonb),
    cast(:field_map as jsonb),
    cast(:translations as jsonb),
    cast(:hidden_fields as jsonb),
    cast(:embed_origins as jsonb),
    cast(:name as text),
    coalesce(cast(:language as text), organization.locale),
    cast(:created_by as bigint)
from interview_templates as template
join organizations as organization on organization.id = template.organization_id
left join interview_template_versions as newest
    on newest.organization_id = template.organization_id and newest.id = template.version_id
where
    template.id = cast(:template_id as bigint)
    and row(
        newest.pages, newest.questions, newest.branding, newest.thank_you, newest.hints, newest.field_map,
        newest.translations, newest.hidden_fields, newest.embed_origins,
        newest.name,
        newest.language
    )
    is distinct from row(
        cast(:pages as jsonb),
        cast(:questions as jsonb),
        cast(:branding as jsonb),
        cast(:thank_you as jsonb),
        cast(:hints as jsonb),
        cast(:field_map as jsonb),
        cast(:translations as jsonb),
        cast(:hidden_fields as jsonb),
        cast(:embed_origins as jsonb),
        cast(:name as text),
        coalesce(cast(:language as text), organization.locale)
    );

--:name interview_template_delete :affected
--:doc Mark a template as deleted and free its slugs; invites keep it.
update interview_templates
set deleted_at = now()
where id = cast(:id as bigint) and deleted_at is null;

--:name interview_version_get :one
--:doc One immutable version; primary key.
select
    version.id,
    version.name,
    version.language,
    version.pages, version.questions, version.branding, version.thank_you, version.hints, version.translations,
    version.hidden_fields
from interview_template_versions as version
where version.id = cast(:id as bigint);

--:name interview_template_languages :scalar
--:doc The languages of a template's current version, its own first; primary keys.
select array[version.language] || array(select jsonb_object_keys(version.translations)) as languages
from interview_templates as template
join interview_template_versions as version
    on version.organization_id = template.organization_id and version.id = template.version_id
where template.id = cast(:id as bigint) and template.deleted_at is null;
