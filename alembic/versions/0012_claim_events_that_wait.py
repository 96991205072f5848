"""Claim events whose handlers wait for somebody outside.

A claim in the row replaces a lock that was held while a mail server or a time-stamp authority was waited for, and that
deletions waited for.

Release: a worker of the release before takes an event by its lock alone. Both may handle one email or seal at once; the
rows of these decide who sends.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0012"
down_revision = "0011"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.outbox add column claimed_until timestamptz;
comment on column app.outbox.claimed_until is
    'While its handler waits for somebody outside, the end of a worker''s claim; the worker renews it.';
grant update (claimed_until) on app.outbox to pipeline_jobs;
""")
