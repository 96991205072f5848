--:name form_surroundings :one
--:doc What a page of the open form needs beside it: the organization's day and its logo; primary keys.
select cast(now() at time zone organization.time_zone as date) as today, form_logo() as logo
from organizations as organization
where organization.id = cast(nullif(current_setting('app.organization_id', true), '') as bigint);

--:name form_logo_content :one
--:doc The image of a logo by its SHA-256; index files_sha256.
select logo.content_type, logo.content
from logo_by_sha256(cast(:sha256 as text)) as logo;
