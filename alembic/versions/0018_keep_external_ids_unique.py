"""Keep the external ids of quotes and contracts unique.

Release: the indexes are built while requests go on; the former release writes no external id.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0018"
down_revision = "0017"


def upgrade():
    """Apply the revision."""
    for table in ("quotes", "contracts"):
        on = f"on app.{table} (organization_id, external_id) where external_id is not null"
        migrations.index(f"{table}_external_id", on, unique=True)
