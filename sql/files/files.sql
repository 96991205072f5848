--:name file_insert :scalar
--:doc Insert a file without chunks; returns its id.
insert into files (filename, content_type, size, sha256, created_by)
values (:filename, :content_type, :size, :sha256, cast(:created_by as bigint))
returning id;

--:name file_storage_use :scalar
--:doc The bytes of the organization's files; primary key of storage_use.
select use.bytes
from storage_use as use;

--:name file_chunk_insert :affected
--:doc Insert the next chunk of a file.
insert into file_chunks (file_id, position, content)
values (cast(:file_id as bigint), :position, cast(:content as bytea));

--:name file_get :one
--:doc A file without content; primary key.
select file.id, file.filename, file.content_type, file.size, file.sha256
from files as file
where file.id = cast(:id as bigint);

--:name file_chunk_get :scalar
--:doc One chunk of a file, no row past its end; primary key.
select chunk.content
from file_chunks as chunk
where chunk.file_id = cast(:file_id as bigint) and chunk.position = :position;

--:name file_organization_logo :scalar
--:doc Lock and return the current organization's logo; primary key.
select organization.logo_file_id
from organizations as organization
for no key update of organization;

--:name file_delete :affected
--:doc Delete files with their content; primary key.
delete from files as file
where file.id = any(cast(:ids as bigint[]));

--:name transfer_patience :one
--:doc Raise this transaction's statement timeout for a whole file.
select set_config('statement_timeout', '60s', true) as statement_timeout;
