"""The schema of the first release."""

from alembic import op
from pipeline.database.migrations import VERSION_RIGHTS, create_roles, installer
from pipeline.database.revisions import BASELINE

revision = "0001"
down_revision = None


def upgrade():
    """Apply the revision."""
    roles, _, subjects = BASELINE.read_text(encoding="utf-8").partition("-- The roles end here.\n")
    create_roles(op.get_bind(), roles)
    installer(subjects)
    installer(VERSION_RIGHTS)
