--:name contract_list :one
--:doc A page of contracts with the total; indexes for filters and orders of its columns, contracts_fields, contracts_search_trigrams.
with
hit as materialized (select search_ids('contracts', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select contract.*
    from contracts as contract
    where
        contract.organization_id is not null
        and contract.status = any(contract_statuses(cast(:status as text[]))) --? status
        and contract_status(contract.status, contract.termination_date, (select organization_day())) = any(cast(:status as text[])) --? status
        and contract.contract_number = cast(:number as text) --? number
        and contract.external_id = cast(:external_id as text) --? external_id
        and contract.deal_id = cast(:deal_id as bigint) --? deal_id
        and contract.status in ('active', 'executed') --? expiring_within
        and contract.termination_date between (select organization_day()) and (select organization_day() + cast(:expiring_within as integer)) --? expiring_within
        and contract.effective_date >= cast(:effective_from as date) --? effective_from
        and contract.effective_date <= cast(:effective_to as date) --? effective_to
        and contract.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and contract.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and coalesce(contract.fields @> cast(:fields as jsonb), false) --? fields
        and coalesce(contract.fields @@ cast(:bounds as jsonpath), false) --? bounds
        and contract.id > cast(:after_id as bigint) --? after_id
        and contract.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        cast(:total as bigint), --? total
        (select count(*) from filtered), --? filtered, !after_id, !total
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'contracts'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select contract.id
                from filtered as contract
                left join companies as company on contract.organization_id = company.organization_id and contract.company_id = company.id --? sort_by=company_name
                left join deals as deal on contract.organization_id = deal.organization_id and contract.deal_id = deal.id --? sort_by=deal_title
                order by
                    contract.organization_id
                    , contract.id asc --? after_id
                    , contract.contract_number asc, contract.id asc --/ sort_by=contract_number
                    , contract.name_key asc, contract.id asc --/ sort_by=name
                    , company.sort_key asc nulls last, contract.id asc --/ sort_by=company_name
                    , deal.title_key asc nulls last, contract.id asc --/ sort_by=deal_title
                    , contract_status(contract.status, contract.termination_date, (select organization_day())) asc, contract.id asc --/ sort_by=status
                    , contract.effective_date asc, contract.id asc --/ sort_by=effective_date
                    , contract.termination_date asc, contract.id asc --/ sort_by=termination_date
                    , contract.created_at asc, contract.id asc --/ sort_by=created_at
                    , contract.updated_at asc, contract.id asc --/ sort_by=updated_at
                    , sort_key(contract.fields ->> cast(:sort_field as text)) collate "C" asc nulls last, contract.id asc --/ sort_by=own_text
                    , contract.fields -> cast(:sort_field as text) asc nulls last, contract.id asc --/ sort_by=own_value
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join listed_contracts as record on record.id = page.id
    ) as data;
