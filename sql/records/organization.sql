--:name organization_currency :scalar
--:doc The current organization's currency; primary key.
select organization.currency from organizations as organization;

--:name organization_get :one
--:doc The current organization with its logo; primary keys.
select
    organization.id,
    organization.name, --* organization
    organization.branding,
    iso(organization.created_at) as created_at,
    iso(organization.updated_at) as updated_at,
    case
        when logo.id is not null
            then json_build_object(
                'filename', logo.filename,
                'content_type', logo.content_type,
                'size', logo.size,
                'sha256', logo.sha256,
                'uploaded_at', iso(logo.created_at)
            )
    end as logo
from organizations as organization
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id;

--:name organization_update :affected
--:doc Replace the current organization's fields; primary key.
--:fields organization: name, slug, time_zone, currency, locale, legal_name, registration_number, vat_id, email, phone,
--:fields organization: website, street, city, region, postal_code, country
update organizations
set
    name = :name, --* organization
    branding = cast(:branding as jsonb);

--:name organization_set_logo :affected
--:doc Set or remove the current organization's logo; primary key.
update organizations
set logo_file_id = cast(:file_id as bigint)
where logo_file_id is distinct from cast(:file_id as bigint);

--:name organization_time_zone_known :scalar
--:doc Whether PostgreSQL has a time zone of exactly this name.
select exists(select from pg_timezone_names as zone where zone.name = cast(:time_zone as text));
