"""Keep what signers read of a Word file.

Release: requests of the former release have none; their signers read the contract's content.

Rollback: nothing to do; the former release does not use the column.
"""

from pipeline.database import migrations

revision = "0052"
down_revision = "0051"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_requests add column if not exists reading_copy text;
comment on column app.signature_requests.reading_copy is
    'What signers read of an author''s Word file, as HTML; null after an erasure, and for contracts of HTML.';
grant insert (reading_copy) on app.signature_requests to pipeline_member;
grant update (reading_copy) on app.signature_requests to pipeline_admin;
grant select (reading_copy) on app.signature_requests to pipeline_public;
call app.touch_changed('app.signature_requests');
""")
