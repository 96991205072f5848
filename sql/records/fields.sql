--:name field_list :one
--:doc A page of own fields with the total; a kind has at most a hundred.
with filtered as not materialized (
    select field.*
    from field_records as field
    where
        field.organization_id is not null
        and field.kind = cast(:kind as text) --? kind
        and found(concat_ws(' ', field.label, field.key), cast(:search as text[])) --? search
        and field.id > cast(:after_id as bigint) --? after_id
        and field.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select field.*
    from filtered as field
    order by
        field.organization_id
        , field.id asc --? after_id
        , field.kind asc, field.position asc, field.id asc --/ sort_by=position
        , sort_key(field.label) collate "C" asc, field.id asc --/ sort_by=label
        , field.key collate "C" asc, field.id asc --/ sort_by=key
        , field.created_at asc, field.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name field_get :one
--:doc One own field; primary key.
select field.*
from field_records as field
where field.id = cast(:id as bigint);

--:name field_definitions :many
--:doc All own fields of a kind by position; the unique key of kind and key.
select
    field.key,
    field.label,
    field.type,
    field.options,
    field."default",
    field.required,
    field.description
from fields as field
where field.kind = cast(:kind as text)
order by field.position, field.id;

--:name field_hits :one
--:doc The number of records with these values and bounds, up to a limit, and the ids of up to 10,000; leads_fields and its like.
select
    hits.total,
    hits.ids
from
    field_hits(
        field_table(cast(:kind as text)),
        cast(:fields as jsonb),
        cast(:field_min as jsonb),
        cast(:field_max as jsonb),
        cast(:most as bigint)
    ) as hits;

--:name field_tags :many
--:doc The own fields that contracts print, by kind and position; the unique key of kind and key.
select
    field.kind,
    field.key,
    field.label,
    field.type,
    field.options,
    field."default",
    field.required
from fields as field
where field.kind in ('company', 'deal', 'contract')
order by field.kind, field.position, field.id;

--:name field_insert :scalar
--:doc Insert an own field, by default the last; returns its id; the unique key of kind and key.
insert into fields (kind, key, label, type, options, "default", required, description, position)
select
    cast(:kind as text),
    cast(:key as text),
    cast(:label as text),
    cast(:type as text),
    cast(:options as text[]),
    cast(:initial as jsonb),
    cast(:required as boolean),
    cast(:description as text),
    coalesce(cast(:position as integer), least(coalesce(max(field.position) + 1, 0), 1000000))
from fields as field
where field.kind = cast(:kind as text)
returning id;

--:name field_update :affected
--:doc Replace an own field's changeable columns, and a given position; primary key.
update fields
set
    label = :label,
    options = cast(:options as text[]),
    "default" = cast(:initial as jsonb),
    required = cast(:required as boolean),
    description = cast(:description as text),
    position = coalesce(cast(:position as integer), position)
where id = cast(:id as bigint);

--:name field_delete :affected
--:doc Delete an own field; records keep their values; primary key.
delete from fields
where id = cast(:id as bigint);
