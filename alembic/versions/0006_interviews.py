"""Interview templates, their versions, invites, and configurations seeded from them.

A version never changes: an invite is answered and read against the version it was made with. Once an invite
is
submitted, its answers never change, whoever asks: a trigger refuses it. An unsubmitted invite whose
expires_at has
passed reads as expired at once through app.invite_status, without waiting for a job.

The role of the public forms sees exactly one invite, the one whose token opened the transaction
(app.invite_id), and
through it one version, one lead's prefill fields and the organization's public face. A capture form, which
has
no invite yet, sees one template (app.template_id).

SQLSTATEs of our own: PI001 the invite is submitted, PI002 a version is immutable, PI003 the invite is
expired.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0006"
down_revision = "0005"

TEMPLATES = """
    name text not null check (length(name) between 1 and 255),
    slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
    public_slug text check (public_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(public_slug) <= 80),
    lead_capture_enabled boolean not null default false,
    version_id bigint,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (public_slug is not null or not lead_capture_enabled)
"""

VERSIONS = """
    template_id bigint not null,
    version integer not null check (version >= 1),
    name text not null,
    pages jsonb not null check (jsonb_typeof(pages) = 'array'),
    questions jsonb not null check (jsonb_typeof(questions) = 'array'),
    branding jsonb not null default '{}' check (jsonb_typeof(branding) = 'object'),
    thank_you jsonb not null default '{}' check (jsonb_typeof(thank_you) = 'object'),
    hints jsonb not null default '{}' check (jsonb_typeof(hints) = 'object'),
    field_map jsonb not null default '[]' check (jsonb_typeof(field_map) = 'array'),
    created_by bigint,
    created_at timestamptz not null default now(),
    unique (organization_id, template_id, version),
    unique (organization_id, template_id, id),
    foreign key (organization_id, template_id) references app.interview_templates,
    foreign key (organization_id, created_by) references app.organization_users
"""

TEMPLATE_GRANTS = """
create unique index interview_templates_slug on app.interview_templates (organization_id, slug)
    where deleted_at is null;
create unique index interview_templates_public_slug on app.interview_templates (public_slug)
    where deleted_at is null and public_slug is not null;
-- Deferred, so that a template and its first version can be written in either order.
alter table app.interview_templates add constraint interview_templates_version
    foreign key (organization_id, id, version_id)
    references app.interview_template_versions (organization_id, template_id, id) deferrable
    initially deferred;

create policy member on app.interview_templates to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.interview_templates to pipeline_member, pipeline_jobs;
grant insert (organization_id, name, slug, public_slug, lead_capture_enabled, version_id),
    update (name, slug, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_admin;
grant select (organization_id, id, public_slug, lead_capture_enabled, version_id, deleted_at)
    on app.interview_templates to pipeline_lookup;

create policy member on app.interview_template_versions to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.interview_template_versions to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, template_id, version, name, pages, questions, branding, thank_you, hints,
        field_map, created_by)
    on app.interview_template_versions to pipeline_admin;

create function app.version_frozen() returns trigger language plpgsql as $$
begin
    raise exception 'a template version is immutable' using errcode = 'PI002';
end
$$;
create trigger frozen before update or delete on app.interview_template_versions
    for each row execute function app.version_frozen();
"""

INVITES = """
    template_id bigint not null,
    template_version_id bigint not null,
    lead_id bigint,
    deal_id bigint,
    origin text not null default 'invite' check (origin in ('invite', 'capture')),
    token text not null unique check (token ~ '^[0-9a-f]{64}$'),
    recipient_email text check (length(recipient_email) <= 255),
    recipient_name text check (length(recipient_name) <= 255),
    personal_note text,
    send_email boolean not null default false,
    status text not null default 'pending' check (status in ('pending', 'started', 'submitted', 'expired')),
    expires_at timestamptz not null default now() + interval '30 days',
    sent_at timestamptz,
    submitted_at timestamptz,
    created_by bigint,
    email_status text check (email_status in ('queued', 'sent', 'skipped', 'failed')),
    email_error text,
    answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
    rep_flags jsonb check (jsonb_typeof(rep_flags) = 'array'),
    revision integer not null default 0 check (revision >= 0),
    saved_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check ((status = 'submitted') = (submitted_at is not null)),
    foreign key (organization_id, template_id, template_version_id)
        references app.interview_template_versions (organization_id, template_id, id),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users
"""

INVITE_GRANTS = """
comment on column app.interview_invites.rep_flags is 'Frozen when the invite is submitted; null before.';
create index interview_invites_template on app.interview_invites (organization_id, template_id,
    template_version_id);
create index interview_invites_lead on app.interview_invites (organization_id, lead_id);
create index interview_invites_deal on app.interview_invites (organization_id, deal_id);

create function app.invite_status(status text, expires_at timestamptz) returns text
    language sql stable parallel safe
    return case when status in ('pending', 'started') and expires_at <= now() then 'expired' else status end;
comment on function app.invite_status is
    'The status to show and to filter by: what has run out reads as expired.';
grant execute on function app.invite_status to pipeline_app, pipeline_forms, pipeline_jobs,
    pipeline_member, pipeline_public, pipeline_lookup;

create function app.invite_guarded() returns trigger language plpgsql as $$
begin
    if old.status = 'submitted' and
       (new.answers, new.rep_flags, new.submitted_at, new.status, new.template_id, new.template_version_id)
       is distinct from
       (old.answers, old.rep_flags, old.submitted_at, old.status, old.template_id, old.template_version_id)
    then
        raise exception 'a submitted invite cannot change' using errcode = 'PI001';
    end if;
    if (old.status = 'expired' or (old.status in ('pending', 'started') and old.expires_at <= now()))
       and (new.answers is distinct from old.answers or new.status not in (old.status, 'expired')) then
        raise exception 'an expired invite cannot be answered' using errcode = 'PI003';
    end if;
    return new;
end
$$;
create trigger guard before update on app.interview_invites for each row
    execute function app.invite_guarded();

create policy member on app.interview_invites to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.interview_invites to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, template_id, template_version_id, lead_id, deal_id, origin, token,
        recipient_email, recipient_name, personal_note, send_email, status, expires_at, created_by,
        email_status),
    update (status, lead_id, deal_id, sent_at, email_status, email_error)
    on app.interview_invites to pipeline_member;
grant update (status, sent_at, email_status, email_error) on app.interview_invites to pipeline_jobs;
grant select (organization_id, id, token) on app.interview_invites to pipeline_lookup;
"""

PUBLIC = """
create policy public_form on app.interview_invites to pipeline_public
    using (id = nullif(current_setting('app.invite_id', true), '')::bigint)
    with check (id = nullif(current_setting('app.invite_id', true), '')::bigint);
grant select (organization_id, id, template_id, template_version_id, lead_id, recipient_email,
    recipient_name, status, expires_at, submitted_at, answers, rep_flags, revision, saved_at, updated_at),
    update (status, submitted_at, answers, rep_flags, revision, saved_at)
    on app.interview_invites to pipeline_public;

create policy public_form on app.interview_templates for select to pipeline_public
    using (id = nullif(current_setting('app.template_id', true), '')::bigint
           and lead_capture_enabled and deleted_at is null);
grant select (organization_id, id, version_id, lead_capture_enabled, deleted_at)
    on app.interview_templates to pipeline_public;

create policy public_form on app.interview_template_versions for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = interview_template_versions.organization_id
                     and i.template_version_id = interview_template_versions.id)
           or exists (select from app.interview_templates t
                      where t.organization_id = interview_template_versions.organization_id
                        and t.version_id = interview_template_versions.id));
grant select (organization_id, id, template_id, name, pages, questions, branding, thank_you, hints)
    on app.interview_template_versions to pipeline_public;

create policy public_form on app.leads for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = leads.organization_id and i.lead_id = leads.id));
grant select (organization_id, id, first_name, last_name, name, email, company, phone, job_title)
    on app.leads to pipeline_public;
"""

CONFIGURATIONS = """
    deal_id bigint not null,
    definition_id bigint not null,
    invite_id bigint,
    status text not null default 'draft' check (status in ('draft', 'final')),
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_type text,
    quantity bigint check (quantity >= 0),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Seeding the same invite twice, even at the same moment, makes one configuration.
    unique (organization_id, invite_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, definition_id) references app.configurator_definitions,
    foreign key (organization_id, invite_id) references app.interview_invites
"""

CONFIGURATION_GRANTS = """
create index configurations_deal on app.configurations (organization_id, deal_id);
create index configurations_definition on app.configurations (organization_id, definition_id);
create policy member on app.configurations to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.configurations to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, deal_id, definition_id, invite_id, status, platform_keys, feature_keys,
        license_type, quantity),
    update (deal_id, definition_id, status, platform_keys, feature_keys, license_type, quantity), delete
    on app.configurations to pipeline_member;
"""

LOOKUPS = """
create function app.invite_by_token(p_token text) returns table (organization_id bigint, invite_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.organization_id, i.id from app.interview_invites i where i.token = p_token
$$;

create function app.capture_by_slug(p_public_slug text)
    returns table (organization_id bigint, template_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select t.organization_id, t.id from app.interview_templates t
    where t.public_slug = p_public_slug and t.lead_capture_enabled and t.deleted_at is null
$$;

grant execute on function app.invite_by_token, app.capture_by_slug to pipeline_forms;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("interview_templates", TEMPLATES)
    tenant_table("interview_template_versions", VERSIONS)
    owned(TEMPLATE_GRANTS)
    tenant_table("interview_invites", INVITES)
    owned(INVITE_GRANTS)
    owned(PUBLIC)
    tenant_table("configurations", CONFIGURATIONS)
    owned(CONFIGURATION_GRANTS)
    lookups(LOOKUPS)
