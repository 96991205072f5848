--:name organization_currency :scalar
--:doc The current organization's currency; primary key.
select organization.currency from organizations as organization;

--:name organization_email :scalar
--:doc The current organization's email, for replies; primary key.
select organization.email from organizations as organization;

--:name organization_get :one
--:doc The current organization with its logo; primary keys.
select
    organization.id,
    organization.name, organization.slug, organization.time_zone, organization.currency, organization.locale,
    organization.legal_name, organization.registration_number, organization.vat_id,
    domain_shown(organization.email) as email,
    organization.phone, organization.website, organization.street, organization.city, organization.region,
    organization.postal_code, organization.country,
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
update organizations
set
    name = :name,
    slug = :slug,
    time_zone = :time_zone,
    currency = :currency,
    locale = :locale,
    legal_name = :legal_name,
    registration_number = :registration_number,
    vat_id = :vat_id,
    email = :email,
    phone = :phone,
    website = :website,
    street = :street,
    city = :city,
    region = :region,
    postal_code = :postal_code,
    country = :country,
    branding = cast(:branding as jsonb);

--:name organization_set_logo :affected
--:doc Set or remove the current organization's logo; primary key.
update organizations
set logo_file_id = cast(:file_id as bigint)
where logo_file_id is distinct from cast(:file_id as bigint);

--:name organization_time_zone_known :scalar
--:doc Whether PostgreSQL has a time zone of exactly this name.
select exists(select from pg_timezone_names as zone where zone.name = cast(:time_zone as text));
