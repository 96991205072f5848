--:name audit_list :one
--:doc A page of the audit, newest first, and how much there is; changes_time, and changes_record for one record.
with filtered as not materialized (
    select change.*
    from changes as change
    where
        change.organization_id is not null
        and change.type = cast(:type as text) --? type (skewed)
        and change.record_id = cast(:id as bigint) --? id (skewed)
        and change.action = cast(:action as text) --? action (skewed)
        and change.actor_kind = cast(:actor_kind as text) --? actor_kind (skewed)
        and change.actor_id = cast(:actor_id as bigint) --? actor_id (skewed)
        and change.at >= cast(:since as timestamptz) --? since (skewed)
        and change.at < cast(:before as timestamptz) --? before (skewed)
),

page as (
    select near.at, near.id
    from (
        select change.at, change.id
        from filtered as change
        order by change.organization_id desc, change.at desc, change.id desc
        limit 100 --? near
    ) as near
    limit cast(:limit as bigint) offset cast(:offset as bigint)
)

select
    --? !type|id|action|actor_kind|since|before {
    (
        select (select coalesce(max(counted.total), 0) from change_counts as counted) + count(*)
        from (
            -- In the order of the primary key, or a sequential scan would be planned for so vague a condition; and
            -- coalesce inside of the sub-select, since it is not leakproof.
            select change.id
            from changes as change
            where
                change.transaction_id
                >= (select coalesce(max(counted.until_transaction), 0) from change_counts as counted)
            order by change.organization_id, change.transaction_id, change.id
        ) as uncounted
    ) as total,
    --? }
    (select count(*) from filtered) as total, --? type|id|action|actor_kind|since|before
    cast(
        coalesce(
            (
                select
                    json_agg(
                        json_build_object(
                            'entry', change.id,
                            'at', iso(change.at),
                            'actor_kind', change.actor_kind,
                            'actor_id', change.actor_id,
                            'actor_name', change.actor_name,
                            'request_id', change.request_id,
                            'type', change.type,
                            'id', change.record_id,
                            'action', change.action,
                            'changed', change.changed,
                            'details', change.details
                        )
                        order by change.at desc, change.id desc
                    )
                from page
                join changes as change on change.at = page.at and change.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name audit_export :many
--:doc What the filters of the audit leave, as cells of a CSV file, newest first; changes_time.
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
order by change.organization_id desc, change.at desc, change.id desc;

--:name export_recorded :scalar
--:doc Tell the audit that the caller exports records of a type.
select export_recorded(cast(:type as text), cast(:filter as jsonb));
