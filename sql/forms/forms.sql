--:name form_surroundings :one
--:doc The open form's organization, version, logo, day and frame ancestors; primary keys.
select
    organization.id as organization_id,
    version.id as version_id,
    organization.time_zone,
    cast(now() at time zone organization.time_zone as date) as today,
    form_logo() as logo,
    version.embed_origins
from organizations as organization
join interview_template_versions as version on version.organization_id = organization.id
where
    organization.id = cast(nullif(current_setting('app.organization_id', true), '') as bigint)
    -- In a sub-select, because coalesce is not leakproof and would keep the key from use.
    and version.id = (
        select
            coalesce(
                (
                    select invite.template_version_id
                    from interview_invites as invite
                    where invite.id = cast(nullif(current_setting('app.invite_id', true), '') as bigint)
                ),
                (
                    select template.version_id
                    from interview_templates as template
                    where template.id = cast(nullif(current_setting('app.template_id', true), '') as bigint)
                )
            )
    );

--:name form_look :one
--:doc The look of an expired invite's page; primary keys.
select
    organization.name,
    organization.branding || version.branding as branding,
    form_logo() as logo,
    coalesce(invite.language, version.language) as language,
    version.embed_origins
from interview_invites as invite
join organizations as organization on organization.id = invite.organization_id
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
where invite.id = cast(nullif(current_setting('app.invite_id', true), '') as bigint);

--:name form_logo_content :one
--:doc A logo's image by SHA-256; index files_sha256.
select logo.content_type, logo.content
from logo_by_sha256(cast(:sha256 as text)) as logo;

--:name form_answers_enter :one
--:doc The row-level-security context of a signed link's member.
select
    set_config('app.organization_id', cast(organization as text), true) as organization_context,
    set_config('app.user_id', cast(cast(:user_id as bigint) as text), true) as user_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_member', true) as database_role
from app.check_here(cast(:organization_id as bigint)) as organization;

--:name form_answers_about :one
--:doc The name and look of answers, for an active rep or `printed`; primary keys.
select
    version.name as interview,
    coalesce(invite.recipient_name, lead.name, domain_shown(invite.recipient_email)) as prospect,
    coalesce(lead.name, invite.recipient_name) as name,
    domain_shown(coalesce(lead.email, invite.recipient_email)) as email,
    lead.company,
    lead.job_title,
    lead.phone,
    organization.name as organization_name,
    organization.branding,
    organization.logo_file_id, --? printed
    logo.sha256 as logo, --? printed
    form_logo() as logo, --? !printed
    organization.locale,
    organization.time_zone,
    invite.lead_id,
    invite.recipient_email,
    cast(cast(now() at time zone organization.time_zone as date) as text) as today
from interview_invites as invite
join organizations as organization on organization.id = invite.organization_id
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
left join leads as lead on lead.organization_id = invite.organization_id and lead.id = invite.lead_id
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id --? printed
where
    version.organization_id is not null
    and is_active_seat(cast(:user_id as bigint)) --? !printed
    and invite.id = cast(:id as bigint);

--:name form_versions_answered :many
--:doc The versions of a template with responses of these days and statuses, newest first; interview_invites_template.
select version.id
from interview_template_versions as version
where
    version.organization_id is not null
    and version.template_id = cast(:template_id as bigint)
    and exists (
        select from interview_invites as invite
        where
            invite.template_id = version.template_id
            and invite.template_version_id = version.id
            and invite_status(invite.status, invite.expires_at) = any(cast(:status as text[]))
            and cast(invite.created_at at time zone 'UTC' as date) >= cast(:first as date) --? first
            and cast(invite.created_at at time zone 'UTC' as date) <= cast(:last as date) --? last
    )
order by version.version desc;

--:name form_responses :many
--:doc The responses to one version of a template, of these days and statuses, by id; interview_invites_template.
select
    invite.id,
    version.version,
    invite_status(invite.status, invite.expires_at) as status,
    iso(invite.created_at) as created_at,
    iso(invite.started_at) as started_at,
    iso(invite.submitted_at) as submitted_at,
    coalesce(invite.language, version.language) as language,
    invite.lead_id,
    coalesce(lead.name, invite.recipient_name) as name,
    domain_shown(coalesce(lead.email, invite.recipient_email)) as email,
    lead.company,
    lead.job_title,
    lead.phone,
    invite.answers,
    invite.consents,
    invite.hidden_fields,
    invite.rep_flags
from interview_invites as invite
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
left join leads as lead on lead.organization_id = invite.organization_id and lead.id = invite.lead_id
where
    version.organization_id is not null
    and invite.template_id = cast(:template_id as bigint)
    and invite.template_version_id = cast(:version_id as bigint)
    and invite_status(invite.status, invite.expires_at) = any(cast(:status as text[]))
    and cast(invite.created_at at time zone 'UTC' as date) >= cast(:first as date) --? first
    and cast(invite.created_at at time zone 'UTC' as date) <= cast(:last as date) --? last
order by invite.id;
