"""Validate the parents of changes.

Apart from adding the constraint, because requests go on during the validation.

Release: the release before writes no other changes.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0005"
down_revision = "0004"


def upgrade():
    """Apply the revision."""
    migrations.owned("alter table app.changes validate constraint changes_parent")
