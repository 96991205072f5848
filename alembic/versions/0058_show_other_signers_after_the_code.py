"""Show the other signers of a request after the code alone.

Release: no row changes; the release before shows the other signers after the code, too.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0058"
down_revision = "0057"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter policy public_signing on app.signature_signers
    using (app.is_signing(organization_id, request_id, id)
           or (app.is_signing(organization_id, request_id) and app.is_signing_opened(organization_id, request_id)));
""")
