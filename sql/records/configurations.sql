--:name configuration_list :one
--:doc A page of configurations and how many there are; an index for each order and filter.
with filtered as not materialized (
    select configuration.*
    from configurations as configuration
    where
        configuration.organization_id is not null
        and configuration.deal_id = cast(:deal_id as bigint) --? deal_id (skewed)
        and configuration.definition_id = cast(:definition_id as bigint) --? definition_id (skewed)
        and configuration.invite_id = cast(:invite_id as bigint) --? invite_id (skewed)
        and configuration.status = cast(:status as text) --? status (skewed)
    offset 0 --? few, sort_by=created_at|deal_title|status
),

-- What is kept of each status and definition.
kept as (
    select facet.*
    from record_count_deltas as change
    cross join lateral jsonb_to_recordset(change.facets) as facet (status text, definition_id bigint, n bigint)
    where
        change.kind = 'configurations'
        and facet.status = cast(:status as text) --? status
        and facet.definition_id = cast(:definition_id as bigint) --? definition_id
),

counted as materialized (
    select
        0
        + cast(:total as bigint) --? total
        --? !total {
        + (select cast(coalesce(sum(kept.n), 0) as bigint) from kept) --? !deal_id|invite_id
        + (select count(*) from filtered) --? deal_id|invite_id
        --? }
            as total
)

select
    counted.total
    --? !counting {
    , (
        select cast(json_agg(record order by picked.place) as text)
        from
            unnest(
                array(
                    --? sort_by=created_at|deal_title|status {
                    (
                        select near.id
                        from (
                            select configuration.id
                            from filtered as configuration
                            order by
                                configuration.organization_id
                                , configuration.created_at asc, configuration.id asc --/ sort_by=created_at
                                , configuration.deal_key asc, configuration.id asc --/ sort_by=deal_title
                                , configuration.status asc, configuration.id asc --/ sort_by=status
                            limit 100 --? near
                        ) as near
                        limit cast(:limit as bigint) offset cast(:offset as bigint)
                    )
                    --? }
                    union all --? near, !near
                    -- By a name that few records share: of each name the first ones.
                    --? sort_by=definition_name {
                    (
                        with named as (
                            select definition.id, sort_key(definition.name) collate "C" as key
                            from configurator_definitions as definition
                            where definition.id in (select kept.definition_id from kept)
                        )

                        --? far {
                        -- Far down the list the configurations of each name are counted, and the names before the page are passed over.
                        , placed as (
                            select
                                named.id,
                                named.key,
                                sum(counted.configurations) over (partition by named.key) as configurations,
                                sum(counted.configurations) over (
                                    order by
                                        true
                                        , named.key asc nulls last --/
                                ) as through
                            from (
                                select configuration.definition_id, sum(configuration.n) as configurations
                                from (
                                    select kept.definition_id, kept.n from kept --? !deal_id|invite_id
                                    union all --? near, !near
                                    select configuration.definition_id, 1 as n from filtered as configuration --? deal_id|invite_id
                                ) as configuration
                                group by configuration.definition_id
                                having sum(configuration.n) > 0
                            ) as counted
                            join named on coalesce(named.id, 0) = coalesce(counted.definition_id, 0)
                        ),

                        -- A page of one name alone begins within its configurations; where several names meet, all of theirs are sorted.
                        reached as materialized (
                            select
                                placed.id,
                                placed.key,
                                cast(:offset as bigint)
                                - cast(min(placed.through - placed.configurations) over () as bigint) as skipped,
                                count(*) over () = 1 as alone
                            from placed
                            where
                                placed.through > cast(:offset as bigint)
                                and placed.through - placed.configurations
                                < cast(:offset as bigint) + cast(:limit as bigint)
                        )
                        --? }

                        select configuration.id
                        from (
                            -- In their order, so that none is looked at after those that fill the page.
                            select shared.id, shared.key
                            from (
                                select named.id, named.key from named --? !far
                                union all --? near, !near
                                select reached.id, reached.key from reached --? far
                            ) as shared
                            order by
                                true is null
                                , shared.key asc nulls last --/
                        ) as named
                        cross join
                            lateral (
                                select configuration.id
                                from filtered as configuration
                                where
                                    named.id is not null
                                    and configuration.definition_id = named.id --? sort_by=definition_name
                                order by
                                    configuration.organization_id
                                    , configuration.id asc --/
                                limit
                                    100 --? near
                                    + cast(:limit as bigint) --? !near
                                    + cast(:offset as bigint) --? !near, !far
                                    + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                                    offset (select max(reached.skipped) from reached where reached.alone) --? far
                            ) as configuration
                        order by
                            true is null
                            , named.key asc nulls last, configuration.id asc --/
                        limit
                            cast(:limit as bigint)
                            offset
                            0
                            + cast(:offset as bigint) --? !far
                            + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                    )
                    --? }
                )
            ) with ordinality as picked (id, place)
        join configuration_records as record on record.id = picked.id
    ) as data
    --? }
from counted;

--:name configuration_get :one
--:doc One configuration with the names of deal and definition; primary keys.
select configuration.*
from configuration_records as configuration
where configuration.id = cast(:id as bigint);

--:name configuration_insert :scalar
--:doc A new configuration, a draft unless a status is given; answers its id.
--:fields configuration: deal_id, definition_id, platform_keys, feature_keys, license_type, quantity
insert into configurations (
    deal_id, --* configuration
    status,
    invite_id
)
values (
    :deal_id, --* configuration
    coalesce(cast(:status as text), 'draft'),
    :invite_id
)
returning id;

--:name configuration_update :affected
--:doc Replace a configuration's fields, its status only when one is given; primary key.
update configurations
set
    deal_id = :deal_id, --* configuration
    status = coalesce(cast(:status as text), configurations.status)
where id = cast(:id as bigint);

--:name configuration_delete :affected
--:doc Delete a configuration; primary key.
delete from configurations
where id = cast(:id as bigint);
