"""${message}.

Why it is needed, and why it is shaped so.

Release: the release before this one goes on serving while this runs, and after it. So say why it can: a revision adds
(a column with a default or null, a table, an index) and takes away only what the release before does not use any
more. Nothing is renamed: it is added anew, filled, and removed later.

Rollback: what an operator does who goes back to the release before. Usually nothing, since what was added harms nobody.
"""

from pipeline.database import migrations

revision = "${up_revision}"
down_revision = "${down_revision}"


def upgrade():
    """Apply the revision."""
    # One transaction, of one table: requests wait behind its lock.
    # An index on a table in use is built by migrations.index at the end; then the statements before it are repeatable,
    # such as `add column if not exists` (docs/migrations.md).
    # What takes away something that an older release uses says what it still serves: migrations.serves("0007").
    migrations.owned("""
set local statement_timeout = '1min';
""")
