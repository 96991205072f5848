--:name audit_list :one
--:doc A page of the audit, newest first, with the total; a step of a walk by ids; primary key, changes_record, changes_id.
with filtered as not materialized (
    select change.*
    from changes as change
    where
        change.organization_id is not null
        and change.type = any(cast(:type as text[])) --? type
        and change.record_id = cast(:id as bigint) --? id
        and change.action = any(cast(:action as text[])) --? action
        and change.actor_kind = cast(:actor_kind as text) --? actor_kind
        and change.actor_id = cast(:actor_id as bigint) --? actor_id
        and change.at >= cast(:since as timestamptz) --? since
        and change.at < cast(:before as timestamptz) --? before
        and change.id > cast(:after_id as bigint) --? after_id
        and change.id = any(cast(:ids as bigint[])) --? ids
),

page as (
    select change.id
    from filtered as change
    order by
        change.organization_id desc,
        change.id asc, --? after_id
        change.transaction_id desc, --? !after_id
        change.id desc
    limit cast(:limit as bigint) offset cast(:offset as bigint)
)

select
    (select count(*) from filtered) as total, --? !after_id
    (
        select
            cast(json_agg(
                audit_entry(change)
                order by
                    change.id asc, --? after_id
                    change.transaction_id desc, --? !after_id
                    change.id desc
            ) as text)
        from page
        join changes as change on change.id = page.id
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
    and change.type = any(cast(:type as text[])) --? type
    and change.record_id = cast(:id as bigint) --? id
    and change.action = any(cast(:action as text[])) --? action
    and change.actor_kind = cast(:actor_kind as text) --? actor_kind
    and change.actor_id = cast(:actor_id as bigint) --? actor_id
    and change.at >= cast(:since as timestamptz) --? since
    and change.at < cast(:before as timestamptz) --? before
order by change.organization_id desc, change.transaction_id desc, change.id desc;

--:name export_recorded :scalar
--:doc Audit an export of a type of records.
select export_recorded(cast(:type as text), cast(:filter as jsonb));
