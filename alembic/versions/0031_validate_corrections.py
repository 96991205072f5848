"""Validate corrections in the events of signatures.

Release: nothing.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0031"
down_revision = "0030"


def upgrade():
    """Apply the revision."""
    migrations.owned("alter table app.signature_events validate constraint signature_events_event_check")
