--:name deal_list :one
--:doc A page of deals and how many there are; an index for each order and filter, deals_search_trigrams.
with
--? rare {
hit as materialized (
    select search_ids('deals', cast(:patterns as text[])) as ids
),
--? }
filtered as not materialized (
    select deal.*
    from deals as deal
    where
        deal.organization_id is not null
        and deal.stage_id = cast(:stage_id as bigint) --? stage_id (skewed)
        and deal.company_id = cast(:company_id as bigint) --? company_id (skewed)
        and deal.contact_id = cast(:contact_id as bigint) --? contact_id (skewed)
        and deal.owner_id = cast(:owner_id as bigint) --? owner_id (skewed)
        and deal.updated_at >= cast(:updated_since as timestamptz) --? updated_since (skewed)
        and deal.id = any(cast((select hit.ids from hit) as bigint[])) --? rare
        and deal.search_text like all(cast(:patterns as text[])) --? patterns, !rare (skewed)
    offset 0 --? few, sort_by=title|value|company_name|expected_close_date|created_at|updated_at
),

-- What is kept of each stage and owner.
kept as (
    select
        change.organization_id,
        facet.*
    from record_count_deltas as change
    cross join lateral jsonb_to_recordset(change.facets) as facet (stage_id bigint, owner_id bigint, n bigint)
    where
        change.kind = 'deals'
        and facet.stage_id = cast(:stage_id as bigint) --? stage_id
        and facet.owner_id = cast(:owner_id as bigint) --? owner_id
),

counted as materialized (
    select
        0
        + cast(:total as bigint) --? total
        --? !total {
        + (select cast(coalesce(sum(kept.n), 0) as bigint) from kept) --? !company_id|contact_id|updated_since|patterns
        + (select count(*) from filtered) --? company_id|contact_id|updated_since|patterns
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
                    --? sort_by=title|value|company_name|expected_close_date|created_at|updated_at {
                    (
                        select near.id
                        from (
                            select deal.id
                            from filtered as deal
                            order by
                                deal.organization_id
                                , deal.title_key asc, deal.id asc --/ sort_by=title
                                , deal.value_key asc, deal.id asc --/ sort_by=value
                                , deal.company_key asc nulls last, deal.id asc --/ sort_by=company_name
                                , deal.expected_close_date asc nulls last, deal.id asc --/ sort_by=expected_close_date
                                , deal.created_at asc, deal.id asc --/ sort_by=created_at
                                , deal.updated_at asc, deal.id asc --/ sort_by=updated_at
                            limit 100 --? near
                        ) as near
                        limit cast(:limit as bigint) offset cast(:offset as bigint)
                    )
                    --? }
                    union all --? near, !near
                    -- By a name that few records share: of each name the first ones.
                    --? sort_by=stage_name|owner_name {
                    (
                        with named as (
                            --? sort_by=stage_name {
                            select stage.id, sort_key(stage.name) collate "C" as key
                            from deal_stages as stage
                            where stage.id in (select kept.stage_id from kept)
                            --? }
                            union all --? near, !near
                            --? sort_by=owner_name {
                            select seat.user_id as id, sort_key(account.name) collate "C" as key
                            from organization_users as seat
                            join users as account on account.id = seat.user_id
                            where seat.user_id in (select kept.owner_id from kept)
                            --? }
                            union all
                            select null, null
                        )

                        --? far {
                        -- Far down the list the deals of each name are counted, and the names before the page are passed over.
                        , placed as (
                            select
                                named.id,
                                named.key,
                                sum(counted.deals) over (partition by named.key) as deals,
                                sum(counted.deals) over (
                                    order by
                                        true
                                        , named.key asc nulls last --/
                                ) as through
                            from (
                                select
                                    sum(deal.n) as deals
                                    , deal.stage_id --? sort_by=stage_name
                                    , deal.owner_id --? sort_by=owner_name
                                from (
                                    select kept.organization_id, kept.stage_id, kept.owner_id, kept.n from kept --? !company_id|contact_id|updated_since|patterns
                                    union all --? near, !near
                                    select deal.organization_id, deal.stage_id, deal.owner_id, 1 as n from filtered as deal --? company_id|contact_id|updated_since|patterns
                                ) as deal
                                group by
                                    deal.organization_id
                                    , deal.stage_id --? sort_by=stage_name
                                    , deal.owner_id --? sort_by=owner_name
                                having sum(deal.n) > 0
                            ) as counted
                            join named
                                on
                                    true
                                    and coalesce(named.id, 0) = coalesce(counted.stage_id, 0) --? sort_by=stage_name
                                    and coalesce(named.id, 0) = coalesce(counted.owner_id, 0) --? sort_by=owner_name
                        ),

                        -- A page of one name alone begins within its deals; where several names meet, all of theirs are sorted.
                        reached as materialized (
                            select
                                placed.id,
                                placed.key,
                                cast(:offset as bigint)
                                - cast(min(placed.through - placed.deals) over () as bigint) as skipped,
                                count(*) over () = 1 as alone
                            from placed
                            where
                                placed.through > cast(:offset as bigint)
                                and placed.through - placed.deals < cast(:offset as bigint) + cast(:limit as bigint)
                        )
                        --? }

                        --? rare|few {
                        (
                            select deal.id
                            from filtered as deal
                            left join named
                                on
                                    true
                                    and deal.stage_id = named.id --? sort_by=stage_name
                                    and deal.owner_id = named.id --? sort_by=owner_name
                            order by
                                true is null
                                , named.key asc nulls last, deal.id asc --/
                            limit cast(:limit as bigint) offset cast(:offset as bigint)
                        )
                        --? }
                        union all --? near, !near
                        --? !rare|few {
                        (
                            select deal.id
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
                                    (
                                        select deal.id
                                        from filtered as deal
                                        where
                                            named.id is not null
                                            and deal.stage_id = named.id --? sort_by=stage_name
                                            and deal.owner_id = named.id --? sort_by=owner_name
                                        order by
                                            deal.organization_id
                                            , deal.id asc --/
                                        limit
                                            100 --? near
                                            + cast(:limit as bigint) --? !near
                                            + cast(:offset as bigint) --? !near, !far
                                            + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                                            offset (select max(reached.skipped) from reached where reached.alone) --? far
                                    )
                                    union all
                                    (
                                        select deal.id
                                        from filtered as deal
                                        where
                                            named.id is null
                                            and deal.stage_id is null --? sort_by=stage_name
                                            and deal.owner_id is null --? sort_by=owner_name
                                        order by
                                            deal.organization_id
                                            , deal.stage_id asc --/ sort_by=stage_name, far
                                            , deal.owner_id asc --/ sort_by=owner_name, far
                                            , deal.id asc --/
                                        limit
                                            100 --? near
                                            + cast(:limit as bigint) --? !near
                                            + cast(:offset as bigint) --? !near, !far
                                            + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                                            offset (select max(reached.skipped) from reached where reached.alone) --? far
                                    )
                                ) as deal
                            order by
                                true is null
                                , named.key asc nulls last, deal.id asc --/
                            limit
                                cast(:limit as bigint)
                                offset
                                0
                                + cast(:offset as bigint) --? !far
                                + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                        )
                        --? }
                    )
                    --? }
                )
            ) with ordinality as picked (id, place)
        join deal_records as record on record.id = picked.id
    ) as data
    --? }
from counted;

--:name deal_get :one
--:doc One deal with the names of what it refers to; primary keys.
select deal.*
from deal_records as deal
where deal.id = cast(:id as bigint);

--:name deal_currency :scalar
--:doc The currency of a deal, that of a deal that does not exist is USD; primary key.
select coalesce((select deal.currency from deals as deal where deal.id = cast(:id as bigint)), 'USD');

--:name deal_insert :scalar
--:doc A new deal, in the organization's currency unless one is given; answers its id.
--:fields deal: title, currency, stage_id, company_id, contact_id, owner_id, expected_close_date, product_line
insert into deals (
    title, --* deal
    value_minor
)
values (
    :title, --* deal
    :value
)
returning id;

--:name deal_update :affected
--:doc Replace a deal's fields; primary key.
update deals
set
    title = :title, --* deal
    value_minor = :value
where id = cast(:id as bigint);

--:name deal_delete :affected
--:doc Delete a deal that nothing refers to; primary key.
delete from deals
where id = cast(:id as bigint);
