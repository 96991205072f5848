"""${message}.

What this revision adds, and why it is shaped so.
"""

from pipeline.database.migrations import owned, tenant_table

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade():
    """Apply the revision."""
    ${upgrades if upgrades else "owned('')"}
