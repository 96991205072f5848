--:name audit_list :one
--:doc A page of the whole audit, newest first, with the total; primary key.
with page as (
    select change.transaction_id, change.id
    from changes as change
    order by change.organization_id desc, change.transaction_id desc, change.id desc
    limit cast(:limit as bigint) offset cast(:offset as bigint)
)

select
    (
        select (select coalesce(max(counts.total), 0) from change_counts as counts) + count(*)
        from (
            -- The order prevents a sequential scan. coalesce stays in the sub-select, because it is not
            -- leakproof.
            select change.id
            from changes as change
            where
                change.transaction_id
                >= (select coalesce(max(counts.until_transaction), -cast(4e18 as bigint)) from change_counts as counts)
            order by change.organization_id, change.transaction_id, change.id
        ) as uncounted
    ) as total,
    (
        select cast(json_agg(audit_entry(change) order by change.transaction_id desc, change.id desc) as text)
        from page
        join changes as change on change.transaction_id = page.transaction_id and change.id = page.id
    ) as data;

--:name audit_list_of_one :one
--:doc A page of a record's or prospect's audit; changes_record, changes_prospect.
with filtered as materialized (
    select change.transaction_id, change.id
    from changes as change
    where
        change.organization_id is not null
        and change.record_id = cast(:id as bigint) --? id
        and change.actor_kind = 'prospect' and change.actor_id = cast(:prospect_id as bigint) --? prospect_id
        and change.type = cast(:type as text) --? type
        and change.action = cast(:action as text) --? action
        and change.actor_kind = cast(:actor_kind as text) --? actor_kind
        and change.actor_id = cast(:actor_id as bigint) --? actor_id
        and change.at >= cast(:since as timestamptz) --? since
        and change.at < cast(:before as timestamptz) --? before
),

page as (
    select filtered.transaction_id, filtered.id
    from filtered
    order by filtered.transaction_id desc, filtered.id desc
    limit cast(:limit as bigint) offset cast(:offset as bigint)
)

select
    (select count(*) from filtered) as total,
    (
        select cast(json_agg(audit_entry(change) order by change.transaction_id desc, change.id desc) as text)
        from page
        join changes as change on change.transaction_id = page.transaction_id and change.id = page.id
    ) as data;

--:name audit_list_narrowed :one
--:doc A page of the filtered audit, found by the tallies; primary keys.
with filtered as not materialized (
    select change.organization_id, change.transaction_id, change.id
    from changes as change
    where
        change.organization_id is not null
        and change.type = cast(:type as text) --? type
        and change.action = cast(:action as text) --? action
        and change.actor_kind = cast(:actor_kind as text) --? actor_kind
        and change.actor_id = cast(:actor_id as bigint) --? actor_id
        and change.at >= cast(:since as timestamptz) --? since
        and change.at < cast(:before as timestamptz) --? before
),

tallied as (
    select
        tally.part,
        min(tally.first_transaction) as first_transaction,
        max(tally.last_transaction) as last_transaction,
        cast(sum(tally.total) as bigint) as total,
        true
        and bool_and(tally.first_at >= cast(:since as timestamptz)) --? since
        and bool_and(tally.last_at < cast(:before as timestamptz)) --? before
            as whole
    from change_tallies as tally
    where
        tally.organization_id is not null
        and tally.type = cast(:type as text) --? type
        and tally.action = cast(:action as text) --? action
        and tally.actor_kind = cast(:actor_kind as text) --? actor_kind
        and tally.actor_id = cast(:actor_id as bigint) --? actor_id
        and tally.last_at >= cast(:since as timestamptz) --? since
        and tally.first_at < cast(:before as timestamptz) --? before
    group by tally.part
    union all
    -- The last part is not counted yet.
    select uncounted.since, uncounted.since, cast(9e18 as bigint), 0, false
    from (select coalesce(max(counts.until_transaction), -cast(4e18 as bigint)) as since from change_counts as counts)
        as uncounted
),

-- Counts only uncounted parts and those that a time divides.
sized as materialized (
    select
        tallied.part,
        tallied.first_transaction,
        tallied.last_transaction,
        case
            when tallied.whole then tallied.total
            else (
                select count(*)
                from filtered
                where filtered.transaction_id between tallied.first_transaction and tallied.last_transaction
            )
        end as size
    from tallied
),

-- The place of each part in the list.
placed as materialized (
    select
        sized.*,
        cast(coalesce(sum(sized.size) over newer, 0) as bigint) as place
    from sized
    window newer as (order by sized.part desc rows between unbounded preceding and 1 preceding)
),

page as (
    select inside.transaction_id, inside.id
    from placed
    cross join
        lateral (
            select filtered.transaction_id, filtered.id
            from filtered
            where filtered.transaction_id between placed.first_transaction and placed.last_transaction
            order by filtered.organization_id desc, filtered.transaction_id desc, filtered.id desc
            limit cast(:offset as bigint) + cast(:limit as bigint) - placed.place
        ) as inside
    where
        placed.place < cast(:offset as bigint) + cast(:limit as bigint)
        and placed.place + placed.size > cast(:offset as bigint)
    order by inside.transaction_id desc, inside.id desc
    limit
        cast(:limit as bigint)
        offset cast(:offset as bigint) - (
            select cast(coalesce(sum(placed.size), 0) as bigint)
            from placed
            where placed.place + placed.size <= cast(:offset as bigint)
        )
)

select
    (select cast(sum(placed.size) as bigint) from placed) as total,
    (
        select cast(json_agg(audit_entry(change) order by change.transaction_id desc, change.id desc) as text)
        from page
        join changes as change on change.transaction_id = page.transaction_id and change.id = page.id
    ) as data;

--:name audit_export :many
--:doc The filtered audit as CSV cells, newest first; primary key.
select
    change.id as entry,
    iso(change.at) as at,
    change.actor_kind,
    change.actor_id,
    csv_text(change.actor_name) as actor_name,
    csv_text(change.request_id) as request_id,
    change.type,
    change.record_id as id,
    change.action,
    csv_text(cast(change.changed as text)) as changed,
    csv_text(cast(change.details as text)) as details
from changes as change
where
    change.organization_id is not null
    and change.type = cast(:type as text) --? type
    and change.record_id = cast(:id as bigint) --? id
    and change.action = cast(:action as text) --? action
    and change.actor_kind = cast(:actor_kind as text) --? actor_kind
    and change.actor_id = cast(:actor_id as bigint) --? actor_id
    and change.at >= cast(:since as timestamptz) --? since
    and change.at < cast(:before as timestamptz) --? before
order by change.organization_id desc, change.transaction_id desc, change.id desc;

--:name export_recorded :scalar
--:doc Audit an export of a type of records.
select export_recorded(cast(:type as text), cast(:filter as jsonb));
