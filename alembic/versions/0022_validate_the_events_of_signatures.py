"""Validate the events of signatures.

Apart from adding the constraint, because requests go on during the validation.

Release: the release before writes a part of these events.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0022"
down_revision = "0021"


def upgrade():
    """Apply the revision."""
    migrations.owned("alter table app.signature_events validate constraint signature_events_event_check")
