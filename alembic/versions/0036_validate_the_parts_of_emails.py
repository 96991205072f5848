"""Validate the parts of emails to signers.

Release: nothing.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0036"
down_revision = "0035"


def upgrade():
    """Apply the revision."""
    migrations.owned("alter table app.emails validate constraint emails_signer_part_check")
