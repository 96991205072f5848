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
-- A program has no seat: its team is nobody.
left join organization_users as seat
    on seat.organization_id = organization.id and seat.user_id = cast(:user_id as bigint);

--:name lead_count :one
--:doc The exact number of leads that the filters leave, search aside, and the way to their page; kept, leads_created or lead_changes_changed.
with
-- Whether some days hold most of the time in which leads came: then those that came before and after are counted.
span as materialized (
    select
        2 * (
            least(
                known.last
                , cast(:created_before as timestamptz) --? created_before
            )
            - greatest(
                known.first
                , cast(:created_from as timestamptz) --? created_from
            )
        )
        > known.last - known.first as wide
    from (
        select
            (
                select lead.created_at
                from leads as lead
                order by lead.organization_id asc, lead.created_at asc, lead.id asc
                limit 1
            ) as first,
            (
                select lead.created_at
                from leads as lead
                order by lead.organization_id desc, lead.created_at desc, lead.id desc
                limit 1
            ) as last
    ) as known
),

kept as (
    select
        cast(coalesce(sum(facet.n), 0) as bigint) as n
    from record_count_deltas as change
    cross join
        lateral jsonb_to_recordset(change.facets)
            as facet (status text, source text, assigned_to bigint, n bigint)
    where
        change.kind = 'leads'
        and facet.status = cast(:status as text) --? status
        and facet.status = any(cast(:statuses as text[])) --? statuses
        and facet.source = cast(:source as text) --? source
        and facet.assigned_to = cast(:assigned_to as bigint) --? assigned_to
        and facet.assigned_to = any(cast(:assignees as bigint[])) --? assignees
),

found as (
    select count(*) as n
    from (
        --? !updated_since {
        select lead.status, lead.source, lead.assigned_to
        from leads as lead
        where
            true
            --? created_from|created_before {
            and not (select span.wide from span)
            and lead.created_at >= cast(:created_from as timestamptz) --? created_from (skewed)
            and lead.created_at < cast(:created_before as timestamptz) --? created_before (skewed)
            --? }
        --? created_from {
        union all
        select lead.status, lead.source, lead.assigned_to
        from leads as lead
        where (select span.wide from span) and lead.created_at < cast(:created_from as timestamptz)
        --? }
        --? created_before {
        union all
        select lead.status, lead.source, lead.assigned_to
        from leads as lead
        where (select span.wide from span) and lead.created_at >= cast(:created_before as timestamptz)
        --? }
        --? }
        union all --? updated_since, !updated_since
        --? updated_since (skewed) {
        select change.status, change.source, change.assigned_to
        from lead_changes as change
        where
            change.changed_at >= cast(:updated_since as timestamptz)
            and change.created_at >= cast(:created_from as timestamptz) --? created_from
            and change.created_at < cast(:created_before as timestamptz) --? created_before
    --? }
    ) as lead
    where
        true
        and lead.status = cast(:status as text) --? status (skewed)
        and lead.status = any(cast(:statuses as text[])) --? statuses (skewed)
        and lead.source = cast(:source as text) --? source (skewed)
        and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to (skewed)
        and lead.assigned_to = any(cast(:assignees as bigint[])) --? assignees (skewed)
),

-- Where hardly one of the first thousand in the order has changed since, order and last change go together, and the
-- order would be read to where those changed begin.
--? updated_since, sort_by=name|email|company_name|created_at {
led as (
    select count(*) < 25 as apart
    from (
        select lead.id
        from leads as lead
        where
            lead.organization_id is not null
            and lead.email_key is not null --? sort_by=email
            and lead.company_key is not null --? sort_by=company_name
        order by
            lead.organization_id
            , lead.name_key asc, lead.id asc --/ sort_by=name
            , lead.email_key asc, lead.id asc --/ sort_by=email
            , lead.company_key asc, lead.id asc --/ sort_by=company_name
            , lead.created_at asc, lead.id asc --/ sort_by=created_at
        limit 1000
    ) as first
    join lead_changes as change on first.id = change.lead_id
    where
        change.organization_id is not null
        and change.changed_at >= cast(:updated_since as timestamptz)
),
--? }
counted as materialized (
    select
        coalesce(
            null
            , (select kept.n from kept) --? !created_from|created_before|updated_since
            --? created_from|created_before, !updated_since {
            , (
                select case when span.wide then kept.n - found.n else found.n end
                from span
                cross join kept
                cross join found
            )
            --? }
            , (select found.n from found) --? updated_since
        ) as total,
        greatest(
            0
            , 20000 --? sort_by=name|created_at|email|company_name|status|assigned_to_name
            , 50000 --? sort_by=updated_at
            , 50000 --? sort_by=source, created_from|created_before
            -- Those of some days, or changed lately, stand together in the table; these orders' indexes know no days.
            , 50000 --? sort_by=email|company_name, created_from|created_before, !status|statuses|source|assigned_to|assignees
            , 60000 --? updated_since, sort_by=status|source|assigned_to_name
        ) as few
)

select
    counted.total,
    -- Few leads are sorted. In the order of an index they would mostly be found faster, but where filter and order go
    -- together (a rep's leads all stand at the end) nearly all others are read before. That costs a third where the
    -- index of the order holds the filters' columns.
    counted.total < counted.few
    or (counted.total < 100000 and (select led.apart from led)) --? updated_since, sort_by=name|email|company_name
    or null as few
    -- Many whose order goes together with their last change: their numbers, sixty-four at a time, are looked up instead.
    , counted.total >= 100000 and (select led.apart from led) or null as apart --? updated_since, sort_by=name|email|company_name
    -- In the order of creation what was made before that time is looked for beside what was made since.
    , counted.total >= counted.few and (select led.apart from led) or null as older --? updated_since, sort_by=created_at
    -- Where it does not, tens of thousands are gathered.
    , counted.total between counted.few and 100000 or null as gathered --? sort_by=email|company_name, !updated_since
from counted;

--:name lead_list :one
--:doc A page of the leads and their exact total; an index for each order, lead_changes for the last change, leads_search_trigrams.
with
-- What stands beside the last changes is enough for most filters.
changed as not materialized (
    select change.*
    from lead_changes as change
    where
        change.organization_id is not null
        and change.status = cast(:status as text) --? status
        and change.status = any(cast(:statuses as text[])) --? statuses
        and change.source = cast(:source as text) --? source
        and change.assigned_to = cast(:assigned_to as bigint) --? assigned_to
        and change.assigned_to = any(cast(:assignees as bigint[])) --? assignees
        --? created_from {
        and change.created_at >= cast(:created_from as timestamptz)
        -- What was made since has not changed before.
        and change.changed_at >= cast(:created_from as timestamptz)
        --? }
        and change.created_at < cast(:created_before as timestamptz) --? created_before
        and change.changed_at >= cast(:updated_since as timestamptz) --? updated_since (skewed)
),
--? rare|common {
hit as materialized (
    select
        search_ids(
            'leads',
            cast(:patterns as text[]),
            p_tags => cast(:tags as text[]), --? tags
            p_alternatives => cast(:alternatives as text[])
        ) as ids
),
--? }
-- The runs of sixty-four numbers in which any lead has changed: few where those changed were made together.
--? apart {
touched as materialized (
    select array(select distinct change.lead_id >> 6 from changed as change) as runs
),
--? }
asked as not materialized (
    select lead.*
    from leads as lead
    join changed as change on lead.organization_id = change.organization_id and lead.id = change.lead_id --? updated_since, !few
    where
        lead.organization_id is not null
        and lead.status = cast(:status as text) --? status, !apart (skewed)
        and lead.status = any(cast(:statuses as text[])) --? statuses, !apart (skewed)
        and lead.source = cast(:source as text) --? source, !apart (skewed)
        and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to, !apart (skewed)
        and lead.assigned_to = any(cast(:assignees as bigint[])) --? assignees, !apart (skewed)
        and lead.created_at >= cast(:created_from as timestamptz) --? created_from, !apart (skewed)
        and lead.created_at < cast(:created_before as timestamptz) --? created_before, !apart (skewed)
        and (lead.id >> 6 in (select unnest(touched.runs) from touched)) is true --? apart
        -- What was made since has hardly an exception: of the others those that have changed are looked for below.
        and lead.created_at >= cast(:updated_since as timestamptz) --? older
        and lead.id = any(array(select change.lead_id from changed as change)) --? updated_since, few
        and lead.id = any(cast((select hit.ids from hit) as bigint[])) --? rare
        -- Tens of thousands are gathered, and looked up while the order is read from its index alone. "Is true" keeps them
        -- from being joined, which would leave no order.
        and (lead.id in (select unnest(hit.ids) from hit)) is true --? common
        --? !rare|common {
        --? alternatives {
        and (
            lead.search_text like all(cast(:patterns as text[]))
            or lead.search_text like all(cast(:alternatives as text[]))
        )
        --? }
        and lead.search_text like all(cast(:patterns as text[])) --? patterns, !alternatives (skewed)
        and lead.tag_text like any(cast(:tags as text[])) --? tags (skewed)
        --? }
    offset 0 --? few, sort_by=name|email|company_name|status|source|created_at
),

-- Where the order's index holds none of the filters' columns, or a search has filters, all that is asked is gathered so.
--? gathered {
gathered as materialized (
    select array(select asked.id from asked) as ids
),
--? }
filtered as not materialized (
    select lead.* from asked as lead --? !gathered
    union all --? near, !near
    --? gathered {
    select lead.*
    from leads as lead
    where
        lead.organization_id is not null
        and (lead.id in (select unnest(gathered.ids) from gathered)) is true
--? }
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                --? sort_by=name|email|company_name|status|created_at {
                (
                    select near.id
                    from (
                        (
                            select
                                lead.id
                                , lead.created_at --? older
                            from filtered as lead
                            where
                                true
                                and lead.email_key is not null --? sort_by=email, !few
                                and lead.company_key is not null --? sort_by=company_name, !few
                                -- Where none of those gathered has a value, all of those that have one would be read.
                                --? gathered, sort_by=email|company_name {
                                and (
                                    select count(*)
                                    from filtered as lead
                                    where
                                        true
                                        and lead.email_key is null --? sort_by=email
                                        and lead.company_key is null --? sort_by=company_name
                                ) < (select cardinality(gathered.ids) from gathered)
                                --? }
                            order by
                                lead.organization_id
                                , lead.name_key asc, lead.id asc --/ sort_by=name
                                , lead.email_key asc, lead.id asc --/ sort_by=email, !few
                                , lead.email_key asc nulls last, lead.id asc --/ sort_by=email, few
                                , lead.company_key asc, lead.id asc --/ sort_by=company_name, !few
                                , lead.company_key asc nulls last, lead.id asc --/ sort_by=company_name, few
                                , lead.status asc, lead.source asc, lead.assigned_to asc, lead.created_at asc, lead.id asc --/ sort_by=status
                                , lead.created_at asc, lead.id asc --/ sort_by=created_at
                            limit
                                100 --? near
                                + cast(:limit as bigint) + cast(:offset as bigint) --? !near
                        )
                        -- Read backwards, the index has first what has no value; so that is read after the rest.
                        --? sort_by=email|company_name, !few {
                        union all
                        (
                            select
                                lead.id
                                , lead.created_at --? older
                            from filtered as lead
                            where
                                true
                                and lead.email_key is null --? sort_by=email
                                and lead.company_key is null --? sort_by=company_name
                            order by
                                lead.organization_id
                                , lead.email_key asc, lead.id asc --/ sort_by=email
                                , lead.company_key asc, lead.id asc --/ sort_by=company_name
                            limit 100 --? near
                        )
                        --? }
                        -- What was made before a time and has changed since.
                        --? older {
                        union all
                        (
                            select change.lead_id, change.created_at
                            from changed as change
                            where change.created_at < cast(:updated_since as timestamptz)
                            order by
                                change.organization_id
                                , change.created_at asc, change.lead_id asc --/
                            limit
                                100 --? near
                                + cast(:limit as bigint) + cast(:offset as bigint) --? !near
                        )
                        --? }
                    ) as near
                    --? older {
                    order by
                        true is null
                        , near.created_at asc, near.id asc --/
                    --? }
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                --? }
                union all --? near, !near
                -- By the last change, which stands beside the leads.
                --? sort_by=updated_at {
                (
                    select near.id
                    from (
                        select change.lead_id as id
                        from changed as change
                        join filtered as lead on lead.id = change.lead_id --? !common|gathered, patterns|tags
                        where
                            true
                            and change.lead_id = any(array(select lead.id from filtered as lead)) --? few, !updated_since
                            and change.lead_id = any(cast((select hit.ids from hit) as bigint[])) --? common, !gathered
                            and change.lead_id = any(cast((select gathered.ids from gathered) as bigint[])) --? gathered
                        order by
                            change.organization_id
                            , change.changed_at asc, change.lead_id asc --/
                        limit 100 --? near
                    ) as near
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
                --? }
                union all --? near, !near
                -- By the assignee's name: each assignee's leads in the order of their names, and last those of nobody.
                -- By the source: those of each source and status in the order of leads_filters.
                --? sort_by=assigned_to_name|source {
                (
                    -- What is kept of each status, source and assignee.
                    with kept as (
                        select
                            facet.status,
                            facet.source,
                            facet.assigned_to,
                            facet.n
                        from record_count_deltas as change
                        cross join
                            lateral jsonb_to_recordset(change.facets)
                                as facet (status text, source text, assigned_to bigint, n bigint)
                        where
                            change.kind = 'leads'
                            and facet.status = cast(:status as text) --? status
                            and facet.status = any(cast(:statuses as text[])) --? statuses
                            and facet.source = cast(:source as text) --? source
                            and facet.assigned_to = cast(:assigned_to as bigint) --? assigned_to
                            and facet.assigned_to = any(cast(:assignees as bigint[])) --? assignees
                    ),

                    -- What has no such lead, nobody for instance, would be looked for among all.
                    named as materialized (
                        --? sort_by=assigned_to_name {
                        select
                            has.assigned_to as id, cast(null as text) as source, cast(null as text) as status,
                            sort_key(account.name) collate "C" as key
                        from (select distinct kept.assigned_to from kept) as has
                        left join users as account on account.id = has.assigned_to
                        --? }
                        union all --? near, !near
                        --? sort_by=source {
                        select distinct
                            cast(null as bigint) as id, kept.source, kept.status,
                            sort_key(kept.source) collate "C" as key
                        from kept
                        --? }
                    )

                    --? far {
                    -- Far down the list the leads of each name are counted, and the names before the page are passed over.
                    , placed as (
                        select
                            named.*,
                            sum(sum(lead.n)) over (partition by named.key, named.status) as leads,
                            sum(sum(lead.n)) over (
                                order by
                                    true
                                    , named.key asc nulls last, named.status asc --/
                            ) as through
                        from (
                            select kept.* from kept --? !created_from|created_before|updated_since|patterns|tags
                            union all --? near, !near
                            select lead.status, lead.source, lead.assigned_to, 1 as n from filtered as lead --? created_from|created_before|updated_since|patterns|tags
                        ) as lead
                        join named
                            on
                                true
                                and coalesce(lead.assigned_to, 0) = coalesce(named.id, 0) --? sort_by=assigned_to_name
                                and lead.source = named.source and lead.status = named.status --? sort_by=source
                        group by named.id, named.source, named.status, named.key
                        having sum(lead.n) > 0
                    ),

                    -- A page of one name alone begins within its leads; where several names meet, all of theirs are sorted.
                    reached as materialized (
                        select
                            placed.id,
                            placed.source,
                            placed.status,
                            placed.key,
                            cast(:offset as bigint)
                            - cast(min(placed.through - placed.leads) over () as bigint) as skipped,
                            count(*) over () = 1 as alone
                        from placed
                        where
                            placed.through > cast(:offset as bigint)
                            and placed.through - placed.leads < cast(:offset as bigint) + cast(:limit as bigint)
                    )
                    --? }

                    --? rare|few {
                    (
                        select lead.id
                        from filtered as lead
                        left join named on lead.assigned_to = named.id --? sort_by=assigned_to_name
                        order by
                            true is null
                            , named.key asc nulls last, lead.name_key asc, lead.id asc --/ sort_by=assigned_to_name
                            , sort_key(lead.source) collate "C" asc, lead.status asc, lead.assigned_to asc, lead.created_at asc, lead.id asc --/ sort_by=source
                        limit cast(:limit as bigint) offset cast(:offset as bigint)
                    )
                    --? }
                    union all --? near, !near
                    --? !rare|few {
                    (
                        select near.id
                        from (
                            select lead.id
                            from (
                                -- In their order, so that none is looked at after those that fill the page.
                                select shared.*
                                from (
                                    select named.* from named --? !far
                                    union all --? near, !near
                                    select reached.id, reached.source, reached.status, reached.key from reached --? far
                                ) as shared
                                order by
                                    true is null
                                    , shared.key asc nulls last --/ sort_by=assigned_to_name
                                    , shared.key asc, shared.status asc --/ sort_by=source
                            ) as named
                            cross join
                                lateral (
                                    (
                                        select
                                            lead.id
                                            , lead.name_key --? sort_by=assigned_to_name
                                            , lead.assigned_to, lead.created_at --? sort_by=source
                                        from filtered as lead
                                        where
                                            true
                                            and named.id is not null and lead.assigned_to = named.id --? sort_by=assigned_to_name
                                            and lead.status = named.status and lead.source = named.source --? sort_by=source
                                        order by
                                            lead.organization_id
                                            , lead.name_key asc, lead.id asc --/ sort_by=assigned_to_name
                                            , lead.assigned_to asc, lead.created_at asc, lead.id asc --/ sort_by=source
                                        limit
                                            100 --? near
                                            + cast(:limit as bigint) --? !near
                                            + cast(:offset as bigint) --? !near, !far
                                            + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                                            offset (select max(reached.skipped) from reached where reached.alone) --? far
                                    )
                                    --? sort_by=assigned_to_name {
                                    union all
                                    (
                                        select
                                            lead.id
                                            , lead.name_key --? sort_by=assigned_to_name
                                            , lead.assigned_to, lead.created_at --? sort_by=source
                                        from filtered as lead
                                        where
                                            named.id is null
                                            and lead.assigned_to is null
                                        order by
                                            lead.organization_id
                                            , lead.assigned_to asc --/ far
                                            , lead.name_key asc, lead.id asc --/
                                        limit
                                            100 --? near
                                            + cast(:limit as bigint) --? !near
                                            + cast(:offset as bigint) --? !near, !far
                                            + coalesce((select max(reached.skipped) from reached where not reached.alone), 0) --? far
                                            offset (select max(reached.skipped) from reached where reached.alone) --? far
                                    )
                                    --? }
                                ) as lead
                            order by
                                true is null
                                , named.key asc nulls last, lead.name_key asc, lead.id asc --/ sort_by=assigned_to_name
                                , named.key asc, named.status asc, lead.assigned_to asc, lead.created_at asc, lead.id asc --/ sort_by=source
                            limit 100 --? near
                        ) as near
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
)

select
    cast(:total as bigint) as total, --? total
    --? !total {
    -- Unfiltered, the total is kept; counting a million leads would take longer than everything else.
    --? !status|statuses|source|assigned_to|assignees|created_from|created_before|updated_since|patterns|tags {
    (
        select cast(coalesce(sum(change.delta), 0) as bigint)
        from record_count_deltas as change
        where change.kind = 'leads'
    ) as total,
    --? }
    --? status|statuses|source|assigned_to|assignees|created_from|created_before|updated_since|patterns|tags {
    coalesce(
        null
        , (select cardinality(hit.ids) from hit) --? rare|common, !status|statuses|source|assigned_to|assignees|created_from|created_before|updated_since
        , (select cardinality(gathered.ids) from gathered) --? gathered
        , (select count(*) from filtered)
    ) as total,
    --? }
    --? }
    (
        select cast(json_agg(record order by page.place) as text)
        from page
        join lead_records as record on record.id = page.id
    ) as data;
