"""Compare names that are folded before.

name_forms.sql beside this file has the functions as they were in this revision. They give the same results.

Release: no row changes; the former release uses the functions, too.

Rollback: nothing to do.
"""

from pathlib import Path

from pipeline.database import migrations

revision = "0061"
down_revision = "0060"

FUNCTIONS = Path(__file__).with_name("name_forms.sql").read_text(encoding="utf-8")


def upgrade():
    """Apply the revision; it can be repeated."""
    migrations.owned(FUNCTIONS)
