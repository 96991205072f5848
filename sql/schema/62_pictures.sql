-- Pictures that the HTML of templates, clauses and contracts names by data-picture.

set local role pipeline_owner;

create table app.pictures (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    file_id bigint not null,
    width integer not null check (width >= 1),
    height integer not null check (height >= 1),
    deleted_at timestamptz,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, file_id) references app.files
);
comment on table app.pictures is 'Pictures for the text of contracts. Deleted ones keep their rows for contracts.';
comment on column app.pictures.name is 'Name for people.';
comment on column app.pictures.file_id is 'The picture, a file that never changes.';
comment on column app.pictures.width is 'Width in pixels.';
comment on column app.pictures.height is 'Height in pixels.';

call app.share('app.pictures', 'pipeline_admin', 'name', 'file_id', 'width', 'height', 'deleted_at');
call app.record_changes('app.pictures', 'pictures', '{name, file_id, width, height, deleted_at}',
    p_ended => 'deleted_at');

-- For deleting files.
create index pictures_file on app.pictures (organization_id, file_id);

create view app.picture_records with (security_invoker = true) as
select
    picture.id, picture.organization_id, picture.name, file.filename, file.content_type, file.size, file.sha256,
    picture.width, picture.height,
    picture.created_by, app.created_by_kind(picture.created_by, picture.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = picture.created_by),
        (select key.name from app.api_keys as key where key.id = picture.created_by_key)
    ) as created_by_name,
    app.iso(picture.created_at) as created_at, app.iso(picture.updated_at) as updated_at
from app.pictures as picture
join app.files as file on file.organization_id = picture.organization_id and file.id = picture.file_id
where picture.deleted_at is null;
comment on view app.picture_records is 'Pictures that are not deleted, as the API returns them.';
call app.present('app.picture_records', 'pipeline_member', 'app.pictures', 'app.files');
