--:name api_key_list :one
--:doc A page of unrevoked keys with the total.
with filtered as not materialized (
    select api_key.*
    from api_key_records as api_key
    where
        api_key.organization_id is not null
        and found(api_key.name, cast(:search as text[])) --? search
        and api_key.id > cast(:after_id as bigint) --? after_id
        and api_key.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select api_key.*
    from filtered as api_key
    order by
        api_key.organization_id
        , api_key.id asc --? after_id
        , sort_key(api_key.name) collate "C" asc, api_key.id asc --/ sort_by=name
        , api_key.created_at asc, api_key.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name api_key_get :one
--:doc One unrevoked key; primary key.
select api_key.*
from api_key_records as api_key
where api_key.id = cast(:id as bigint);

--:name api_key_insert :scalar
--:doc Insert a key by its hash; returns its id.
insert into api_keys (name, prefix, key_hash, role, scopes, expires_at, created_by)
values (
    :name, :prefix, :key_hash, :role, cast(:scopes as text[]), cast(:expires_at as timestamptz),
    cast(:created_by as bigint)
)
returning id;

--:name api_key_update :affected
--:doc Replace the given fields of an unrevoked key; primary key.
update api_keys as api_key
set
    name = :name,
    scopes = cast(:scopes as text[]),
    expires_at = case when :keeps_end then api_key.expires_at else cast(:expires_at as timestamptz) end
where api_key.id = cast(:id as bigint) and api_key.revoked_at is null;

--:name api_key_delete :affected
--:doc Revoke a key; primary key.
update api_keys as api_key
set revoked_at = now()
where api_key.id = cast(:id as bigint) and api_key.revoked_at is null;

--:name own_key_get :one
--:doc The calling key with its organization; primary keys.
select
    key.*,
    json_build_object(
        'id', organization.id,
        'name', organization.name,
        'slug', organization.slug,
        'time_zone', organization.time_zone,
        'currency', organization.currency,
        'locale', organization.locale
    ) as organization
from app.own_key() as key
cross join organizations as organization;
