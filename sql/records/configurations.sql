--:name configuration_list :one
--:doc A page of configurations and how many there are; configurations_created or a filter's index.
with filtered as not materialized (
    select configuration.*
    from configurations as configuration
    where
        (cast(:deal_id as bigint) is null or configuration.deal_id = cast(:deal_id as bigint))
        and (cast(:definition_id as bigint) is null or configuration.definition_id = cast(:definition_id as bigint))
        and (cast(:invite_id as bigint) is null or configuration.invite_id = cast(:invite_id as bigint))
        and (cast(:status as text) is null or configuration.status = cast(:status as text))
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                select configuration.id
                from filtered as configuration
                join deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
                join configurator_definitions as definition
                    on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id
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
            )
        ) with ordinality as picked (id, place)
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join configuration_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name configuration_get :one
--:doc One configuration with the names of deal and definition; primary keys.
select configuration.*
from configuration_records as configuration
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
