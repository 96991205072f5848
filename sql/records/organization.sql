--:name organization_get :one
--:doc The current organization; primary key.
select
    organization.id,
    organization.name,
    organization.slug,
    organization.branding,
    organization.time_zone,
    organization.currency,
    organization.locale,
    organization.legal_name,
    organization.registration_number,
    organization.vat_id,
    organization.email,
    organization.phone,
    organization.website,
    organization.street,
    organization.city,
    organization.region,
    organization.postal_code,
    organization.country,
    iso(organization.created_at) as created_at,
    iso(organization.updated_at) as updated_at
from organizations as organization;

--:name organization_update :affected
--:doc Replace the current organization's fields, which row-level security picks out; primary key.
update organizations
set
    name = :name,
    slug = :slug,
    branding = cast(:branding as jsonb),
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
    country = :country;

--:name organization_time_zone_known :scalar
--:doc Whether PostgreSQL knows a time zone by exactly this name.
select exists (select from pg_timezone_names as zone where zone.name = cast(:time_zone as text));
