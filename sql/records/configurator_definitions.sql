--:name configurator_definition_list :one
--:doc A page of configurator definitions with the total.
with filtered as not materialized (
    select definition.*
    from configurator_definition_records as definition
    where
        definition.organization_id is not null
        and definition.active = cast(:active as boolean) --? active
        and found(concat_ws(' ', definition.name, definition.slug), cast(:search as text[])) --? search
        and definition.id > cast(:after_id as bigint) --? after_id
        and definition.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select definition.*
    from filtered as definition
    order by
        definition.organization_id
        , definition.id asc --? after_id
        , sort_key(definition.name) collate "C" asc, definition.id asc --/ sort_by=name
        , definition.slug collate "C" asc, definition.id asc --/ sort_by=slug
        , definition.created_at asc, definition.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name configurator_definition_get :one
--:doc One configurator definition; primary key.
select definition.*
from configurator_definition_records as definition
where definition.id = cast(:id as bigint);

--:name configurator_definition_insert :scalar
--:doc Insert a configurator definition; returns its id.
insert into configurator_definitions (
    name, slug, active, platform_keys, feature_keys, license_types, labels
)
values (
    :name, :slug, :active, :platform_keys, :feature_keys, :license_types, :labels
)
returning id;

--:name configurator_definition_update :affected
--:doc Replace a configurator definition's fields; primary key.
update configurator_definitions
set
    name = :name,
    slug = :slug,
    active = :active,
    platform_keys = :platform_keys,
    feature_keys = :feature_keys,
    license_types = :license_types,
    labels = :labels
where id = cast(:id as bigint);

--:name configurator_definition_delete :affected
--:doc Delete a configurator definition without configurations; primary key.
delete from configurator_definitions
where id = cast(:id as bigint);

--:name configurator_definition_choices :one
--:doc A definition's options; primary key.
select definition.platform_keys, definition.feature_keys, definition.license_types
from configurator_definitions as definition
where definition.id = cast(:id as bigint);
