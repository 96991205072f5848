-- Interview templates and their versions. A version never changes (SQLSTATE PI002); an invite keeps its version.
-- Deleted templates keep their rows for their invites. A capture form sees the template in app.template_id if it is
-- enabled; a preview (app.preview) also sees a disabled one.

set local role pipeline_owner;

create table app.interview_templates (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    public_slug text check (public_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(public_slug) <= 80),
    lead_capture_enabled boolean not null default false,
    version_id bigint,
    deleted_at timestamptz,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    search_text text collate "C" not null generated always as (app.searched(name || E'\n' || slug)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (public_slug is not null or not lead_capture_enabled)
);
comment on table app.interview_templates is 'Interview templates, for invites and lead-capture forms.';
comment on column app.interview_templates.name is 'Name of the template.';
comment on column app.interview_templates.slug is 'Short name, unique among the organization''s templates.';
comment on column app.interview_templates.public_slug is
    'Slug of the lead-capture form''s URL, unique over all organizations.';
comment on column app.interview_templates.lead_capture_enabled is 'Whether the lead-capture form is open.';
comment on column app.interview_templates.version_id is 'The current version, with pages and questions.';
comment on column app.interview_templates.search_text is 'Searched text: name and slug.';

call app.isolate('app.interview_templates', 'pipeline_member', 'pipeline_jobs');
call app.record_changes('app.interview_templates', 'interview-templates',
    '{name, slug, public_slug, lead_capture_enabled, version_id, deleted_at}',
    p_ended => 'deleted_at');

-- Deleting a template frees its slug.
create unique index interview_templates_slug on app.interview_templates (organization_id, slug)
    where deleted_at is null;
create unique index interview_templates_public_slug on app.interview_templates (public_slug)
    where deleted_at is null and public_slug is not null;
-- Orders of the list, and the filter by update time.
create index interview_templates_name on app.interview_templates (organization_id, name_key, id)
    where deleted_at is null;
create index interview_templates_created on app.interview_templates (organization_id, created_at, id)
    where deleted_at is null;
create index interview_templates_updated on app.interview_templates (organization_id, updated_at, id)
    where deleted_at is null;

create policy public_form on app.interview_templates for select to pipeline_public
    using (id = nullif(current_setting('app.template_id', true), '')::bigint
           and (lead_capture_enabled or current_setting('app.preview', true) = 'on') and deleted_at is null);
grant select on app.interview_templates to pipeline_member, pipeline_jobs;
grant insert (organization_id, name, slug, public_slug, lead_capture_enabled, version_id),
    update (name, slug, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_admin;
grant select (organization_id, id, version_id, lead_capture_enabled, deleted_at)
    on app.interview_templates to pipeline_public;
grant select (organization_id, id, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_lookup;

create table app.interview_template_versions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    version integer not null check (version >= 1),
    name text not null,
    pages jsonb not null check (jsonb_typeof(pages) = 'array'),
    questions jsonb not null check (jsonb_typeof(questions) = 'array'),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    thank_you jsonb not null default '{}' check (jsonb_typeof(thank_you) = 'object'),
    hints jsonb not null default '{}' check (jsonb_typeof(hints) = 'object'),
    field_map jsonb not null default '[]' check (jsonb_typeof(field_map) = 'array'),
    language text not null default 'en',
    translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object'),
    hidden_fields jsonb not null default '[]' check (jsonb_typeof(hidden_fields) = 'array'),
    embed_origins jsonb not null default '[]' check (jsonb_typeof(embed_origins) = 'array'),
    created_by bigint,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, template_id, version),
    unique (organization_id, template_id, id),
    foreign key (organization_id, template_id) references app.interview_templates,
    foreign key (organization_id, created_by) references app.organization_users
);
comment on table app.interview_template_versions is 'Versions of templates; docs/forms.md describes the objects.';
comment on column app.interview_template_versions.version is 'Number of the version, from 1.';
comment on column app.interview_template_versions.name is 'Name of the template in this version.';
comment on column app.interview_template_versions.pages is 'Pages with order, texts, conditions and questions.';
comment on column app.interview_template_versions.questions is 'Questions with types, texts and rules.';
comment on column app.interview_template_versions.branding is
    'Colors and logo of the form that differ from the organization''s.';
comment on column app.interview_template_versions.thank_you is 'Text shown after submitting.';
comment on column app.interview_template_versions.hints is
    'Lead fields filled by questions, and flags and tips for the rep; never public.';
comment on column app.interview_template_versions.field_map is
    'Rules for a configuration from the answers; never public.';
comment on column app.interview_template_versions.language is 'Language of the texts.';
comment on column app.interview_template_versions.translations is
    'Texts in other languages: an object for each language, with the texts by their place.';
comment on column app.interview_template_versions.hidden_fields is
    'Names of values that the URL of a form may carry; conditions can use them.';
comment on column app.interview_template_versions.embed_origins is
    'The origins of pages that may embed the form in a frame.';

call app.isolate('app.interview_template_versions', 'pipeline_member', 'pipeline_jobs');

-- Deferred, so that template and first version can be inserted in either order.
alter table app.interview_templates add constraint interview_templates_version
    foreign key (organization_id, id, version_id)
    references app.interview_template_versions (organization_id, template_id, id) deferrable initially deferred;

-- The policy public_form is in 51_interview_invites.sql.
grant select on app.interview_template_versions to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, template_id, version, name, pages, questions, branding, thank_you, hints, field_map,
        language, translations, hidden_fields, embed_origins, created_by)
    on app.interview_template_versions to pipeline_admin;
grant select (organization_id, id, template_id, name, pages, questions, branding, thank_you, hints, language,
    translations, hidden_fields, embed_origins)
    on app.interview_template_versions to pipeline_public;

create function app.version_frozen() returns trigger language plpgsql as $$
begin
    raise exception 'a template version is immutable' using errcode = 'PI002';
end
$$;
comment on function app.version_frozen is 'Trigger: refuses changes and deletion of a version.';
create trigger frozen before update or delete on app.interview_template_versions
    for each row execute function app.version_frozen();

create function app.version_made() returns trigger language plpgsql as $$
begin
    update app.interview_templates t set version_id = new.id
    where t.organization_id = new.organization_id and t.id = new.template_id;
    return null;
end
$$;
comment on function app.version_made is 'Trigger: makes the newest version the current one.';
create trigger made after insert on app.interview_template_versions
    for each row execute function app.version_made();

create view app.interview_template_records with (security_invoker = true) as
select
    template.id, template.organization_id, template.name, template.slug, template.public_slug,
    template.lead_capture_enabled, version.version, version.pages, version.questions, version.branding,
    version.thank_you, version.hints, version.field_map, version.language, version.translations, version.hidden_fields,
    version.embed_origins,
    template.created_by, app.created_by_kind(template.created_by, template.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = template.created_by),
        (select key.name from app.api_keys as key where key.id = template.created_by_key)
    ) as created_by_name,
    app.iso(template.created_at) as created_at, app.iso(template.updated_at) as updated_at
from app.interview_templates as template
join app.interview_template_versions as version
    on version.organization_id = template.organization_id and version.id = template.version_id
where template.deleted_at is null;
comment on view app.interview_template_records is
    'Templates that are not deleted, with their current version, as the API returns them.';
call app.present(
    'app.interview_template_records', 'pipeline_member', 'app.interview_templates', 'app.interview_template_versions');

set local role pipeline_lookup;
create function app.capture_by_slug(p_public_slug text)
    returns table (organization_id bigint, template_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select t.organization_id, t.id from app.interview_templates t
    where t.public_slug = p_public_slug and t.lead_capture_enabled and t.deleted_at is null
      and app.check_here(t.organization_id) is not null
$$;
comment on function app.capture_by_slug is 'The organization and template of an open lead-capture form.';
grant execute on function app.capture_by_slug to pipeline_forms;
