"""Find the requests with copies.

Release: the index is built while requests go on.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0034"
down_revision = "0033"


def upgrade():
    """Apply the revision."""
    on = "on app.signature_requests (organization_id, id) where cc <> '{}'"
    migrations.index("signature_requests_cc", on)
