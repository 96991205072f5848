--:name lead_list_context :one
--:doc What the filters of the list mean for the caller: days of the organization's time zone, people of the caller's team.
select
    cast(cast(cast(:date_from as date) as timestamp) at time zone organization.time_zone as text) as created_from,
    cast(cast(cast(:date_to as date) + 1 as timestamp) at time zone organization.time_zone as text) as created_before,
    case
        when seat.team_id is null then array[seat.user_id]
        else array(select mate.user_id from organization_users as mate where mate.team_id = seat.team_id)
    end as team
from organizations as organization
join organization_users as seat on seat.organization_id = organization.id
where seat.user_id = cast(:user_id as bigint);

--:name lead_count :scalar
--:doc The exact number of leads that the filters leave, search aside; an index-only scan, mostly of leads_totals.
select count(*)
from leads as lead
where
    (cast(:status as text) is null or lead.status = cast(:status as text))
    and (cast(:source as text) is null or lead.source = cast(:source as text))
    and (cast(:assigned_to as bigint) is null or lead.assigned_to = cast(:assigned_to as bigint))
    and (cast(:assignees as bigint []) is null or lead.assigned_to = any(cast(:assignees as bigint [])))
    and (cast(:created_from as timestamptz) is null or lead.created_at >= cast(:created_from as timestamptz))
    and (cast(:created_before as timestamptz) is null or lead.created_at < cast(:created_before as timestamptz));

--:name lead_count_by_assignee :many
--:doc The leads that the filters leave by the assignee's name, in the list's order, nobody's last; mostly leads_assigned_to.
select array_agg(counted.assigned_to) as assignees, cast(sum(counted.leads) as bigint) as leads
from (
    select lead.assigned_to, count(*) as leads
    from leads as lead
    where
        (cast(:status as text) is null or lead.status = cast(:status as text))
        and (cast(:source as text) is null or lead.source = cast(:source as text))
        and (cast(:assigned_to as bigint) is null or lead.assigned_to = cast(:assigned_to as bigint))
        and (cast(:assignees as bigint []) is null or lead.assigned_to = any(cast(:assignees as bigint [])))
        and (cast(:created_from as timestamptz) is null or lead.created_at >= cast(:created_from as timestamptz))
        and (cast(:created_before as timestamptz) is null or lead.created_at < cast(:created_before as timestamptz))
    group by lead.assigned_to
) as counted
left join users as account on account.id = counted.assigned_to
group by sort_key(account.name) collate "C"
order by
    case when :sort_dir = 'ASC' then sort_key(account.name) collate "C" end asc,
    case when :sort_dir = 'DESC' then sort_key(account.name) collate "C" end desc nulls last;

--:name lead_list :one
--:doc A page of the leads and their exact total; each sort rests on its index, a filtered total on leads_totals.
with filtered as not materialized (
    select lead.*
    from leads as lead
    where
        (cast(:status as text) is null or lead.status = cast(:status as text))
        and (cast(:source as text) is null or lead.source = cast(:source as text))
        and (cast(:assigned_to as bigint) is null or lead.assigned_to = cast(:assigned_to as bigint))
        and (cast(:assignees as bigint []) is null or lead.assigned_to = any(cast(:assignees as bigint [])))
        and (cast(:created_from as timestamptz) is null or lead.created_at >= cast(:created_from as timestamptz))
        and (cast(:created_before as timestamptz) is null or lead.created_at < cast(:created_before as timestamptz))
        and (
            cast(:patterns as text []) is null
            or lead.search_text like all(cast(:patterns as text []))
            or lead.search_text like all(cast(:alternatives as text []))
        )
),

page as (
    select picked.id, picked.place
    from
        unnest(
            case
                when :sort_by <> 'assigned_to_name' then array(
                    select lead.id
                    from filtered as lead
                    order by
                        -- Few leads are sorted; walking an index in its order would read nearly all others.
                        case when cast(:rare as boolean) then random() * 0 end,
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then lead.name_key end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then lead.name_key end desc,
                        case when :sort_by = 'email' and :sort_dir = 'ASC' then lead.email_key end asc,
                        case when :sort_by = 'email' and :sort_dir = 'DESC' then lead.email_key end desc nulls last,
                        case when :sort_by = 'company_name' and :sort_dir = 'ASC' then lead.company_key end asc,
                        case when :sort_by = 'company_name' and :sort_dir = 'DESC' then lead.company_key end desc nulls last,
                        case when :sort_by = 'status' and :sort_dir = 'ASC' then lead.status end asc,
                        case when :sort_by = 'status' and :sort_dir = 'DESC' then lead.status end desc,
                        case when :sort_by = 'source' and :sort_dir = 'ASC' then lead.source_key end asc,
                        case when :sort_by = 'source' and :sort_dir = 'DESC' then lead.source_key end desc,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then lead.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then lead.created_at end desc,
                        case when :sort_dir = 'ASC' then lead.id end asc,
                        case when :sort_dir = 'DESC' then lead.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                -- By the assignee's name: each assignee's leads in the order of their id, and last those of nobody.
                else array(
                    select lead.id
                    from (
                        select seat.user_id, sort_key(account.name) collate "C" as name_key
                        from organization_users as seat
                        join users as account on account.id = seat.user_id
                        where cast(:assignees as bigint []) is null or seat.user_id = any(cast(:assignees as bigint []))
                        union all
                        select null, null
                    ) as assignee
                    cross join lateral (
                        (
                            select lead.id
                            from filtered as lead
                            where lead.assigned_to = assignee.user_id
                            order by
                                case when :sort_dir = 'ASC' then lead.id end asc,
                                case when :sort_dir = 'DESC' then lead.id end desc
                            limit cast(:limit as bigint) + cast(:offset as bigint)
                        )
                        union all
                        (
                            select lead.id
                            from filtered as lead
                            where assignee.user_id is null and lead.assigned_to is null
                            order by
                                case when :sort_dir = 'ASC' then lead.id end asc,
                                case when :sort_dir = 'DESC' then lead.id end desc
                            limit cast(:limit as bigint) + cast(:offset as bigint)
                        )
                    ) as lead
                    where array_position(cast(:passed as bigint []), assignee.user_id) is null
                    order by
                        case when :sort_dir = 'ASC' then assignee.name_key end asc,
                        case when :sort_dir = 'DESC' then assignee.name_key end desc nulls last,
                        case when :sort_dir = 'ASC' then lead.id end asc,
                        case when :sort_dir = 'DESC' then lead.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
            end
        ) with ordinality as picked (id, place)
)

select
    -- Unfiltered, the total is kept; counting a million leads would take longer than everything else.
    case
        when cast(:total as bigint) is not null then cast(:total as bigint)
        when
            cast(:status as text) is null
            and cast(:source as text) is null
            and cast(:assigned_to as bigint) is null
            and cast(:assignees as bigint []) is null
            and cast(:created_from as timestamptz) is null
            and cast(:created_before as timestamptz) is null
            and cast(:patterns as text []) is null
            then (select cast(coalesce(sum(change.delta), 0) as bigint) from lead_count_deltas as change)
        else (select count(*) from filtered)
    end as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join lead_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;
