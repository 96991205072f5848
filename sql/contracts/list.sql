--:name contract_list :one
--:doc A page of the contracts and their exact total; an index for each order, a filtered total is kept or on contracts_totals, contracts_search_trigrams.
--:fields contract_listed: id, organization_id, contract_number, name, status, template_id, deal_id, deal_title, company_id,
--:fields contract_listed: company_name, effective_date, term_months, termination_date, unresolved_tags, missing_glyphs,
--:fields contract_listed: revision, executed_file, created_by, created_by_kind, created_by_name, created_at, updated_at
with
--? rare {
hit as materialized (
    select search_ids('contracts', cast(:patterns as text[])) as ids
),
--? }
day as materialized (
    select cast(now() at time zone organization.time_zone as date) as today
    from organizations as organization
),

filtered as not materialized (
    select contract.*
    from contracts as contract
    where
        contract.organization_id is not null
        --? settled|running|expired {
        and (
            false
            or contract.status = any(cast(:settled as text[])) --? settled
            --? running {
            or (
                contract.status = any(cast(:running as text[]))
                and contract.termination_date >= (select day.today from day)
            )
            --? }
            --? expired {
            or (
                contract.status in ('active', 'executed')
                and contract.termination_date < (select day.today from day)
            )
            --? }
        )
        --? }
        and contract.deal_id = cast(:deal_id as bigint) --? deal_id
        --? expiring_within (skewed) {
        and contract.status in ('active', 'executed')
        and contract.termination_date >= (select day.today from day)
        and contract.termination_date <= (select day.today + cast(:expiring_within as integer) from day)
        --? }
        and contract.updated_at >= cast(:updated_since as timestamptz) --? updated_since (skewed)
        and contract.id = any(cast((select hit.ids from hit) as bigint[])) --? rare
        and contract.search_text like all(cast(:patterns as text[])) --? patterns, !rare (skewed)
),

counted as materialized (
    select
        0
        + cast(:total as bigint) --? total
        --? !total {
        --? !deal_id|expiring_within|updated_since|patterns {
        + (
            select cast(coalesce(sum(facet.n), 0) as bigint)
            from record_count_deltas as change
            cross join lateral jsonb_to_recordset(change.facets) as facet (status text, n bigint)
            where
                change.kind = 'contracts'
                --? settled|running {
                and (
                    false
                    or facet.status = any(cast(:settled as text[])) --? settled
                    or facet.status = any(cast(:running as text[])) --? running
                )
                --? }
        )
        -- Those whose term has ended since the daily job are kept as they were, and read as expired.
        --? running {
        - (
            select count(*)
            from contracts as contract
            where
                contract.organization_id is not null
                and contract.status = any(cast(:running as text[]))
                and contract.termination_date < (select day.today from day)
        )
        --? }
        --? expired {
        + (
            select count(*)
            from contracts as contract
            where
                contract.organization_id is not null
                and contract.status in ('active', 'executed')
                and contract.termination_date < (select day.today from day)
        )
        --? }
        --? }
        + (select count(*) from filtered) --? !settled|running|expired, deal_id|expiring_within|updated_since|patterns
        -- By the status shown: each way to it by itself, a range of contracts_totals. No contract is of two.
        --? deal_id|expiring_within|updated_since|patterns {
        + (select count(*) from filtered as contract where contract.status = any(cast(:settled as text[]))) --? settled
        --? running {
        + (
            select count(*)
            from filtered as contract
            where
                contract.status = any(cast(:running as text[]))
                and contract.termination_date >= (select day.today from day)
        )
        --? }
        --? expired {
        + (
            select count(*)
            from filtered as contract
            where
                contract.status in ('active', 'executed')
                and contract.termination_date < (select day.today from day)
        )
        --? }
        --? }
        --? }
            as total
)

--? !counting {
, page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                --? sort_by=contract_number|name|company_name|deal_title|effective_date|termination_date|created_at|updated_at {
                (
                    select near.id
                    from (
                        select contract.id
                        from (
                            select contract.*
                            from filtered as contract
                            offset 0 --? few (skewed)
                        ) as contract
                        order by
                            contract.organization_id
                            , contract.contract_number asc, contract.id asc --/ sort_by=contract_number
                            , contract.name_key asc, contract.id asc --/ sort_by=name
                            , contract.company_key asc nulls last, contract.id asc --/ sort_by=company_name
                            , contract.deal_key asc nulls last, contract.id asc --/ sort_by=deal_title
                            , contract.effective_date asc, contract.id asc --/ sort_by=effective_date
                            , contract.termination_date asc, contract.id asc --/ sort_by=termination_date
                            , contract.created_at asc, contract.id asc --/ sort_by=created_at
                            , contract.updated_at asc, contract.id asc --/ sort_by=updated_at
                        limit 100 --? near
                    ) as near
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                --? }
                union all --? near, !near
                -- By the status shown: of each one the contracts in the order of their id, with the few whose term has
                -- ended since the daily job under expired. The loop takes the statuses in their order, so that nothing
                -- is sorted.
                --? sort_by=status {
                (
                    select near.id
                    from (
                        select contract.id
                        from (
                            select shown.status
                            from (
                                values ('active'), ('archived'), ('draft'), ('executed'), ('expired'), ('terminated')
                            ) as shown (status)
                            where
                                true
                                and shown.status in ('active', 'executed') --? expiring_within
                                --? settled|running {
                                and (
                                    false
                                    or shown.status = any(cast(:settled as text[])) --? settled
                                    or shown.status = any(cast(:running as text[])) --? running
                                )
                            --? }
                            order by
                                shown.status is null
                                , shown.status asc --/
                        ) as shown
                        cross join
                            lateral (
                                select found.id
                                from (
                                    (
                                        select contract.id
                                        from filtered as contract
                                        where
                                            contract.status = shown.status
                                            and (
                                                shown.status not in ('active', 'executed')
                                                or contract.termination_date >= (select day.today from day)
                                            )
                                        order by
                                            contract.organization_id
                                            , contract.id asc --/
                                    )
                                    union all
                                    (
                                        select contract.id
                                        from filtered as contract
                                        where
                                            shown.status = 'expired'
                                            and contract.status in ('active', 'executed')
                                            and contract.termination_date < (select day.today from day)
                                        order by
                                            contract.organization_id
                                            , contract.id asc --/
                                    )
                                ) as found
                                order by
                                    true is null
                                    , found.id asc --/
                                limit
                                    100 --? near
                                    + cast(:limit as bigint) + cast(:offset as bigint) --? !near
                            ) as contract
                        limit 100 --? near
                    ) as near
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                --? }
            )
        ) with ordinality as picked (id, place)
)
--? }

select
    counted.total
    --? !counting {
    , (
        select cast(json_agg(record order by page.place) as text)
        from page
        cross join lateral (
            select
                contract.id --* contract_listed
            from contract_records as contract
            where contract.id = page.id
        ) as record
    ) as data
    --? }
from counted;
