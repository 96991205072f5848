--:name contract_search_words :scalar
--:doc A search as LIKE patterns, one for each word.
select array_agg(like_pattern(plain(given.word)))
from unnest(cast(:words as text [])) as given (word);

--:name contract_list :one
--:doc A page of the contracts and their exact total; each sort rests on its index, a filtered total on contracts_totals.
with day as materialized (
    select cast(now() at time zone organization.time_zone as date) as today
    from organizations as organization
),

filtered as not materialized (
    select contract.*
    from contracts as contract
    where
        (
            cast(:settled as text []) is null
            or contract.status = any(cast(:settled as text []))
            or (
                contract.status = any(cast(:running as text []))
                and contract.termination_date >= (select day.today from day)
            )
            or (
                cast(:expired as boolean)
                and contract.status in ('active', 'executed')
                and contract.termination_date < (select day.today from day)
            )
        )
        and (cast(:deal_id as bigint) is null or contract.deal_id = cast(:deal_id as bigint))
        and (
            cast(:expiring_within as integer) is null
            or (
                contract.status in ('active', 'executed')
                and contract.termination_date >= (select day.today from day)
                and contract.termination_date <= (select day.today + cast(:expiring_within as integer) from day)
            )
        )
        and (cast(:patterns as text []) is null or contract.search_text like all(cast(:patterns as text [])))
),

page as (
    select picked.id, picked.place
    from
        unnest(
            case
                when :sort_by <> 'status' then array(
                    select contract.id
                    from filtered as contract
                    order by
                        case when :sort_by = 'contract_number' and :sort_dir = 'ASC' then contract.contract_number end asc,
                        case when :sort_by = 'contract_number' and :sort_dir = 'DESC' then contract.contract_number end desc,
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then contract.name_key end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then contract.name_key end desc,
                        case when :sort_by = 'company_name' and :sort_dir = 'ASC' then contract.company_key end asc,
                        case when :sort_by = 'company_name' and :sort_dir = 'DESC' then contract.company_key end desc nulls last,
                        case when :sort_by = 'deal_title' and :sort_dir = 'ASC' then contract.deal_key end asc,
                        case when :sort_by = 'deal_title' and :sort_dir = 'DESC' then contract.deal_key end desc nulls last,
                        case when :sort_by = 'effective_date' and :sort_dir = 'ASC' then contract.effective_date end asc,
                        case when :sort_by = 'effective_date' and :sort_dir = 'DESC' then contract.effective_date end desc,
                        case when :sort_by = 'termination_date' and :sort_dir = 'ASC' then contract.termination_date end asc,
                        case when :sort_by = 'termination_date' and :sort_dir = 'DESC' then contract.termination_date end desc,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then contract.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then contract.created_at end desc,
                        case when :sort_dir = 'ASC' then contract.id end asc,
                        case when :sort_dir = 'DESC' then contract.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                -- By the status shown: the contracts of each one in the order of their id. Those whose term has ended
                -- since the daily job stand under expired; they are few, and a limit would have them looked for by id.
                else array(
                    select contract.id
                    from (
                        values ('active'), ('archived'), ('draft'), ('executed'), ('expired'), ('terminated')
                    ) as shown (status)
                    cross join lateral (
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
                                case when :sort_dir = 'ASC' then contract.id end asc,
                                case when :sort_dir = 'DESC' then contract.id end desc
                            limit cast(:limit as bigint) + cast(:offset as bigint)
                        )
                        union all
                        (
                            select contract.id
                            from filtered as contract
                            where
                                shown.status = 'expired'
                                and contract.status in ('active', 'executed')
                                and contract.termination_date < (select day.today from day)
                        )
                    ) as contract
                    order by
                        case when :sort_dir = 'ASC' then shown.status end asc,
                        case when :sort_dir = 'DESC' then shown.status end desc,
                        case when :sort_dir = 'ASC' then contract.id end asc,
                        case when :sort_dir = 'DESC' then contract.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
            end
        ) with ordinality as picked (id, place)
)

select
    -- Unfiltered, the total is kept.
    case
        when
            cast(:settled as text []) is null
            and cast(:deal_id as bigint) is null
            and cast(:expiring_within as integer) is null
            and cast(:patterns as text []) is null
            then (select cast(coalesce(sum(kept.contracts), 0) as bigint) from contract_counts as kept)
        else (select count(*) from filtered)
    end as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                cross join lateral (
                    select
                        contract.id,
                        contract.organization_id,
                        contract.contract_number,
                        contract.name,
                        contract.status,
                        contract.template_id,
                        contract.deal_id,
                        contract.deal_title,
                        contract.company_id,
                        contract.company_name,
                        contract.effective_date,
                        contract.term_months,
                        contract.termination_date,
                        contract.unresolved_tags,
                        contract.revision,
                        contract.executed_file,
                        contract.created_by,
                        contract.created_at,
                        contract.updated_at
                    from contract_records as contract
                    where contract.id = page.id
                ) as record
            ),
            '[]'
        ) as text
    ) as data;
