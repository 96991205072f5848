--:name bounce_enter :one
--:doc The context of an email's organization, in which a bounce raises its event and does nothing else.
select
    set_config('app.organization_id', cast(organization as text), true) as organization_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from app.check_here(cast(:organization_id as bigint)) as organization;

--:name bounce_has_organization :scalar
--:doc Whether the organization that a Message-ID names exists; primary key.
select exists(
    select from organizations as organization
    where organization.id = cast(:organization_id as bigint)
);
