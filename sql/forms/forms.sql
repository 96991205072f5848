--:name form_surroundings :one
--:doc What a page of the open form needs beside it: the organization's time zone, day and logo; primary keys.
select
    organization.time_zone,
    cast(now() at time zone organization.time_zone as date) as today,
    form_logo() as logo
from organizations as organization
where organization.id = cast(nullif(current_setting('app.organization_id', true), '') as bigint);

--:name form_look :one
--:doc What the page of an expired invite wears, which is all it has of the open form; primary keys.
select organization.name, organization.branding || version.branding as branding, form_logo() as logo
from interview_invites as invite
join organizations as organization on organization.id = invite.organization_id
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
where invite.id = cast(nullif(current_setting('app.invite_id', true), '') as bigint);

--:name form_logo_content :one
--:doc The image of a logo by its SHA-256; index files_sha256.
select logo.content_type, logo.content
from logo_by_sha256(cast(:sha256 as text)) as logo;
