"""Files, in chunks, beside the records they belong to.

A file is written in the transaction of its record, lies under the same row-level security and in the same
backup.
Chunks keep the memory of a reader and a writer bounded. A file never changes: a new upload is a new row.
"""

from pipeline.database.migrations import owned, tenant_table

revision = "0003"
down_revision = "0002"

FILES = """
    filename text not null check (length(filename) between 1 and 255),
    content_type text not null check (length(content_type) between 3 and 255),
    size bigint not null check (size >= 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    created_by bigint,
    created_at timestamptz not null default now(),
    foreign key (organization_id, created_by) references app.organization_users
"""

CHUNKS = """
    file_id bigint not null,
    position integer not null check (position >= 0),
    content bytea not null check (octet_length(content) between 1 and 1048576),
    foreign key (organization_id, file_id) references app.files on delete cascade
"""

GRANTS = """
-- Uploads are compressed already; compressing them again costs time and gains nothing.
alter table app.file_chunks alter column content set storage external;

create policy member on app.files to pipeline_member, pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, filename, content_type, size, sha256, created_by), delete
    on app.files to pipeline_member, pipeline_jobs;
create policy member on app.file_chunks to pipeline_member, pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, file_id, position, content)
    on app.file_chunks to pipeline_member, pipeline_jobs;

alter table app.organizations add column logo_file_id bigint,
    add foreign key (id, logo_file_id) references app.files;
grant update (logo_file_id) on app.organizations to pipeline_admin;
"""


def upgrade():
    """Apply the revision."""
    tenant_table("files", FILES)
    tenant_table("file_chunks", CHUNKS, key="file_id, position")
    owned(GRANTS)
