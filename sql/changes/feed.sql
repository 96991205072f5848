--:name change_feed :one
--:doc The changes after a cursor in a stable order, with the next cursor; primary key.
with settled as materialized (
    -- All transactions below this one have ended in this statement's snapshot.
    select changes_settled() as before
),

-- A call reads at most 10,000 changes, even for a rare type.
reach as not materialized (
    select
        change.transaction_id,
        change.id,
        change.type,
        change.record_id,
        change.parent_type,
        change.parent_id,
        change.action,
        change.at
    from changes as change
    where
        change.organization_id is not null
        and (change.transaction_id, change.id) > (cast(:transaction_id as bigint), cast(:id as bigint))
        and change.transaction_id < (select settled.before from settled)
    order by change.organization_id, change.transaction_id, change.id
    limit 10000
),

page as materialized (
    select
        found.*,
        change_cursor(found.transaction_id, found.id, found.at) as cursor,
        row_number() over (order by found.transaction_id, found.id) as place
    from (
        select reach.*
        from reach
        where
            reach.action in ('created', 'updated', 'deleted')
            and reach.type = any(cast(:types as text[])) --? types
        limit cast(:limit as bigint)
    ) as found
),

-- The end of a page that is not full.
stop as (
    select change_cursor(last.transaction_id, last.id, last.at) as cursor
    from (select reach.* from reach offset 9999) as last
    where (select count(*) from page) < cast(:limit as bigint)
    union all
    select page.cursor from page where page.place = cast(:limit as bigint)
)

select
    cast(:transaction_id as bigint) > (select settled.before from settled) as ahead,
    cast(json_build_object(
        'data', coalesce(
            (
                select
                    json_agg(
                        json_build_object(
                            'cursor', page.cursor,
                            'type', page.type,
                            'id', page.record_id,
                            'parent_type', page.parent_type,
                            'parent_id', page.parent_id,
                            'action', page.action,
                            'changed', case
                                when page.action = 'updated' then changed_fields(page.transaction_id, page.id)
                            end,
                            'at', iso(page.at)
                        )
                        order by page.place
                    )
                from page
            ),
            '[]'
        ),
        'next', coalesce(
            (select stop.cursor from stop), (select change_cursor(settled.before, 0, now()) from settled)
        ),
        'more', exists (select from stop)
    ) as text) as feed;

--:name change_feed_end :scalar
--:doc The cursor after which all later commits follow.
select change_cursor(changes_settled(), 0, now());
