--:name contract_field_list :one
--:doc A page of own fields with the total; an organization has few.
with filtered as not materialized (
    select field.*
    from contract_field_records as field
    where
        field.organization_id is not null
        and plain(concat_ws(' ', field.label, field.key)) like all(like_patterns(cast(:search as text[]))) --? search
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
        , sort_key(field.label) collate "C" asc, field.id asc --/ sort_by=label
        , field.key collate "C" asc, field.id asc --/ sort_by=key
        , field.created_at asc, field.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name contract_field_get :one
--:doc One own field; primary key.
select field.*
from contract_field_records as field
where field.id = cast(:id as bigint);

--:name contract_field_definitions :many
--:doc All own fields of the organization, in the order of their making.
select
    field.key,
    field.label,
    field.type,
    field.options,
    field."default",
    field.required
from contract_fields as field
order by field.id;

--:name contract_field_insert :scalar
--:doc Insert an own field; returns its id.
insert into contract_fields (key, label, type, options, "default", required)
values (:key, :label, :type, cast(:options as text[]), cast(:initial as jsonb), cast(:required as boolean))
returning id;

--:name contract_field_update :affected
--:doc Replace an own field's changeable columns; primary key.
update contract_fields
set
    label = :label,
    options = cast(:options as text[]),
    "default" = cast(:initial as jsonb),
    required = cast(:required as boolean)
where id = cast(:id as bigint);

--:name contract_field_delete :affected
--:doc Delete an own field; contracts keep their values; primary key.
delete from contract_fields
where id = cast(:id as bigint);
