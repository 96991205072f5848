"""Find the former addresses of signers.

Release: the index is built while requests go on.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0030"
down_revision = "0029"


def upgrade():
    """Apply the revision."""
    on = "on app.signature_events (organization_id, former_email_key) where former_email_key is not null"
    migrations.index("signature_events_former", on)
