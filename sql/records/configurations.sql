--:name configuration_list :one
--:doc A page of configurations and how many there are; configurations_created or a filter's index.
select
    (
        select count(*)
        from configurations as configuration
        where
            (cast(:deal_id as bigint) is null or configuration.deal_id = cast(:deal_id as bigint))
            and (cast(:definition_id as bigint) is null or configuration.definition_id = cast(:definition_id as bigint))
            and (cast(:invite_id as bigint) is null or configuration.invite_id = cast(:invite_id as bigint))
            and (cast(:status as text) is null or configuration.status = cast(:status as text))
    ) as total,
    cast(
        coalesce(
            (
                select json_agg(record)
                from (
                    select
                        configuration.id,
                        configuration.organization_id,
                        configuration.deal_id,
                        deal.title as deal_title,
                        configuration.definition_id,
                        definition.name as definition_name,
                        configuration.invite_id,
                        configuration.status,
                        configuration.platform_keys,
                        configuration.feature_keys,
                        configuration.license_type,
                        configuration.quantity,
                        iso(configuration.created_at) as created_at,
                        iso(configuration.updated_at) as updated_at
                    from configurations as configuration
                    join deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
                    join configurator_definitions as definition
                        on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id
                    where
                        (cast(:deal_id as bigint) is null or configuration.deal_id = cast(:deal_id as bigint))
                        and (cast(:definition_id as bigint) is null or configuration.definition_id = cast(:definition_id as bigint))
                        and (cast(:invite_id as bigint) is null or configuration.invite_id = cast(:invite_id as bigint))
                        and (cast(:status as text) is null or configuration.status = cast(:status as text))
                    order by
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then configuration.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then configuration.created_at end desc,
                        case when :sort_by = 'deal_title' and :sort_dir = 'ASC' then deal.title_key end asc,
                        case when :sort_by = 'deal_title' and :sort_dir = 'DESC' then deal.title_key end desc,
                        case when :sort_by = 'definition_name' and :sort_dir = 'ASC' then sort_key(definition.name) collate "C" end asc,
                        case when :sort_by = 'definition_name' and :sort_dir = 'DESC' then sort_key(definition.name) collate "C" end desc,
                        case when :sort_by = 'status' and :sort_dir = 'ASC' then configuration.status collate "C" end asc,
                        case when :sort_by = 'status' and :sort_dir = 'DESC' then configuration.status collate "C" end desc,
                        case when :sort_dir = 'ASC' then configuration.id end asc,
                        case when :sort_dir = 'DESC' then configuration.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name configuration_get :one
--:doc One configuration with the names of deal and definition; primary keys.
select
    configuration.id,
    configuration.organization_id,
    configuration.deal_id,
    deal.title as deal_title,
    configuration.definition_id,
    definition.name as definition_name,
    configuration.invite_id,
    configuration.status,
    configuration.platform_keys,
    configuration.feature_keys,
    configuration.license_type,
    configuration.quantity,
    iso(configuration.created_at) as created_at,
    iso(configuration.updated_at) as updated_at
from configurations as configuration
join deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
join configurator_definitions as definition
    on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id
where configuration.id = cast(:id as bigint);

--:name configuration_insert :scalar
--:doc A new configuration, a draft unless a status is given; answers its id.
insert into configurations (
    deal_id, definition_id, status, platform_keys, feature_keys, license_type, quantity, invite_id
)
values (
    cast(:deal_id as bigint),
    cast(:definition_id as bigint),
    coalesce(cast(:status as text), 'draft'),
    cast(:platform_keys as text []),
    cast(:feature_keys as text []),
    :license_type,
    cast(:quantity as bigint),
    cast(:invite_id as bigint)
)
returning id;

--:name configuration_update :affected
--:doc Replace a configuration's fields, its status only when one is given; primary key.
update configurations
set
    deal_id = cast(:deal_id as bigint),
    definition_id = cast(:definition_id as bigint),
    status = coalesce(cast(:status as text), configurations.status),
    platform_keys = cast(:platform_keys as text []),
    feature_keys = cast(:feature_keys as text []),
    license_type = :license_type,
    quantity = cast(:quantity as bigint)
where id = cast(:id as bigint);

--:name configuration_delete :affected
--:doc Delete a configuration; primary key.
delete from configurations
where id = cast(:id as bigint);
