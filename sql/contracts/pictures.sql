--:name picture_list :one
--:doc A page of pictures, with the total; an organization has few.
with filtered as not materialized (
    select picture.*
    from picture_records as picture
    where
        picture.organization_id is not null
        and found(concat_ws(' ', picture.name, picture.filename), cast(:search as text[])) --? search
        and picture.id > cast(:after_id as bigint) --? after_id
        and picture.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select picture.*
    from filtered as picture
    order by
        picture.organization_id
        , picture.id asc --? after_id
        , sort_key(picture.name) collate "C" asc, picture.id asc --/ sort_by=name
        , picture.created_at asc, picture.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name picture_get :one
--:doc One picture; primary key.
select picture.*
from picture_records as picture
where picture.id = cast(:id as bigint);

--:name picture_insert :scalar
--:doc Insert a picture; returns its id.
insert into pictures (name, file_id, width, height)
values (:name, cast(:file_id as bigint), :width, :height)
returning id;

--:name picture_update :affected
--:doc Rename a picture; primary key.
update pictures as picture
set name = :name
where picture.id = cast(:id as bigint) and picture.deleted_at is null;

--:name picture_delete :affected
--:doc Mark a picture as deleted; contracts keep it; primary key.
update pictures as picture
set deleted_at = now()
where picture.id = cast(:id as bigint) and picture.deleted_at is null;

--:name picture_file :scalar
--:doc The file of a picture; primary key.
select picture.file_id
from pictures as picture
where picture.id = cast(:id as bigint) and picture.deleted_at is null;

--:name picture_files :many
--:doc The files of pictures, also of deleted ones; primary key.
select
    picture.id,
    picture.file_id,
    picture.deleted_at is not null as deleted
from pictures as picture
where picture.id = any(cast(:ids as bigint[]));
