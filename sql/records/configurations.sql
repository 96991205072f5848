--:name configuration_list :one
--:doc A page of configurations with the total; indexes for filters and own orders.
with filtered as not materialized (
    select configuration.*
    from configurations as configuration
    where
        configuration.organization_id is not null
        and configuration.deal_id = cast(:deal_id as bigint) --? deal_id
        and configuration.definition_id = cast(:definition_id as bigint) --? definition_id
        and configuration.invite_id = cast(:invite_id as bigint) --? invite_id
        and configuration.status = any(cast(:status as text[])) --? status
        and configuration.id > cast(:after_id as bigint) --? after_id
        and configuration.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        (select count(*) from filtered), --? filtered, !after_id
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'configurations'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select configuration.id
                from filtered as configuration
                left join deals as deal on configuration.organization_id = deal.organization_id and configuration.deal_id = deal.id --? sort_by=deal_title
                left join configurator_definitions as definition on configuration.organization_id = definition.organization_id and configuration.definition_id = definition.id --? sort_by=definition_name
                order by
                    configuration.organization_id
                    , configuration.id asc --? after_id
                    , configuration.created_at asc, configuration.id asc --/ sort_by=created_at
                    , deal.title_key asc, configuration.id asc --/ sort_by=deal_title
                    , configuration.status asc, configuration.id asc --/ sort_by=status
                    , sort_key(definition.name) collate "C" asc, configuration.id asc --/ sort_by=definition_name
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join configuration_records as record on record.id = page.id
    ) as data;

--:name configuration_get :one
--:doc One configuration with its deal's and definition's names; primary keys.
select configuration.*
from configuration_records as configuration
where configuration.id = cast(:id as bigint);

--:name configuration_insert :scalar
--:doc Insert a configuration, by default a draft; returns its id, with `once` no row if its invite has one.
insert into configurations (
    deal_id, definition_id, platform_keys, feature_keys, license_type, quantity,
    status,
    invite_id
)
values (
    :deal_id, :definition_id, :platform_keys, :feature_keys, :license_type, :quantity,
    coalesce(cast(:status as text), 'draft'),
    :invite_id
)
on conflict (organization_id, invite_id) do nothing --? once
returning id;

--:name configuration_update :affected
--:doc Replace a configuration's fields and a given status; primary key.
update configurations
set
    deal_id = :deal_id,
    definition_id = :definition_id,
    platform_keys = :platform_keys,
    feature_keys = :feature_keys,
    license_type = :license_type,
    quantity = :quantity,
    status = coalesce(cast(:status as text), configurations.status)
where id = cast(:id as bigint);

--:name configuration_delete :affected
--:doc Delete a configuration; primary key.
delete from configurations
where id = cast(:id as bigint);
