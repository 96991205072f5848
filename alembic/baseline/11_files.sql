-- Files in chunks, which limit the memory of readers and writers. A file is written in the transaction of its record
-- and never changes: a new upload is a new row.

set local role pipeline_owner;

create table app.files (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    filename text not null check (length(filename) between 1 and 255),
    content_type text not null check (length(content_type) between 3 and 255),
    size bigint not null check (size >= 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    created_by bigint,
    created_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, created_by) references app.organization_users
);
comment on table app.files is 'Files from uploads and renderings.';
comment on column app.files.filename is 'Filename of a download.';
comment on column app.files.content_type is 'Media type, detected from the content.';
comment on column app.files.size is 'Size in bytes.';
comment on column app.files.sha256 is 'SHA-256 of the content, 64 hexadecimal digits.';
comment on column app.files.created_by is 'The user who uploaded it; null for files made by the service.';

call app.isolate('app.files', 'pipeline_member', 'pipeline_jobs');

-- A logo's URL has only its hash.
create index files_sha256 on app.files (sha256);

grant select, insert (organization_id, filename, content_type, size, sha256, created_by), delete
    on app.files to pipeline_member, pipeline_jobs;
grant select (organization_id, id, content_type, size, sha256) on app.files to pipeline_lookup;

alter table app.organizations add foreign key (id, logo_file_id) references app.files;

create table app.file_chunks (
    organization_id bigint not null references app.organizations (id),
    file_id bigint not null,
    position integer not null check (position >= 0),
    content bytea not null check (octet_length(content) between 1 and 1048576),
    primary key (organization_id, file_id, position),
    foreign key (organization_id, file_id) references app.files on delete cascade
);
comment on table app.file_chunks is 'The contents of files, at most 1 MiB in a row.';
comment on column app.file_chunks.position is 'Position in the file, from 0.';
comment on column app.file_chunks.content is 'The bytes.';

call app.isolate('app.file_chunks', 'pipeline_member', 'pipeline_jobs');

-- Uploads are compressed already.
alter table app.file_chunks alter column content set storage external;

grant select, insert (organization_id, file_id, position, content) on app.file_chunks to pipeline_member, pipeline_jobs;
grant select (organization_id, file_id, position, content) on app.file_chunks to pipeline_lookup;

-- A trigger keeps one row for each organization. Concurrent uploads wait for each other, so the sum is exact for the
-- quota.
create table app.storage_use (
    organization_id bigint primary key references app.organizations (id),
    bytes bigint not null check (bytes >= 0)
);
comment on table app.storage_use is 'The storage used by the files of an organization, including earlier versions.';
comment on column app.storage_use.bytes is 'The sum of the sizes of its files.';

call app.isolate('app.storage_use');

create policy member on app.storage_use for select to pipeline_member, pipeline_jobs using (true);
grant select on app.storage_use to pipeline_member, pipeline_jobs;
grant select, insert, update on app.storage_use to pipeline_lookup;

set local role pipeline_lookup;

create function app.storage_counted() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into storage_use (organization_id, bytes) values (new.organization_id, new.size)
        on conflict (organization_id) do update set bytes = storage_use.bytes + excluded.bytes;
    else
        update storage_use set bytes = bytes - old.size where organization_id = old.organization_id;
    end if;
    return null;
end
$$;
comment on function app.storage_counted is 'Trigger: keeps storage_use. Files are only inserted and deleted.';

create function app.storage_total() returns table (bytes bigint, largest bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select coalesce(sum(s.bytes), 0)::bigint, coalesce(max(s.bytes), 0) from app.storage_use s
$$;
comment on function app.storage_total is
    'The size of all files, and of the largest organization''s files, in bytes, for monitoring.';

create function app.form_logo() returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.sha256 from app.organizations o join app.files f on f.organization_id = o.id and f.id = o.logo_file_id
    where o.id = nullif(current_setting('app.organization_id', true), '')::bigint
      and f.content_type in ('image/png', 'image/jpeg')
$$;
comment on function app.form_logo is 'The SHA-256 of the current organization''s logo.';

create function app.logo_by_sha256(p_sha256 text) returns table (content_type text, content bytea)
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.content_type,
        (select string_agg(c.content, ''::bytea order by c.position) from app.file_chunks c
         where c.organization_id = f.organization_id and c.file_id = f.id)
    from app.files f join app.organizations o on o.id = f.organization_id and o.logo_file_id = f.id
    where f.sha256 = p_sha256 and f.content_type in ('image/png', 'image/jpeg')
    limit 1
$$;
comment on function app.logo_by_sha256 is 'The content of a logo by its SHA-256; other files are not found.';

grant execute on function app.storage_counted to pipeline_owner;
grant execute on function app.storage_total to pipeline_app;
grant execute on function app.form_logo to pipeline_public, pipeline_member;
grant execute on function app.logo_by_sha256 to pipeline_forms;

set local role pipeline_owner;
create trigger storage_counted after insert or delete on app.files
    for each row execute function app.storage_counted();
