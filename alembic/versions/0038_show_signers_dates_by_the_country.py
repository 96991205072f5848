"""Show signers dates by the country of the organization.

Release: the release before does not read the country.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0038"
down_revision = "0037"


def upgrade():
    """Apply the revision."""
    migrations.owned("grant select (country) on app.organizations to pipeline_public")
