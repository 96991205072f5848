"""${message}.

Why it is needed, and why it is shaped so.

Release: does the release before this one work on the new schema? It must: it goes on serving while this runs, and after.
So add first (a column with a default or null, a new table, an index); take away what nothing uses any more in a later
release. Nothing is renamed: it is added anew, filled, and removed later.

Rollback: what an operator does who goes back to the release before. Usually nothing, since what was added harms nobody.
"""

from pipeline import migrations

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade():
    """Apply the revision."""
    # The whole revision is one transaction. Who waits for a table's lock makes all others wait behind it: give up soon, and
    # be run again. An index on a table in use is a revision of its own (pipeline.migrations.index).
    migrations.owned("""
set local lock_timeout = '2s';
set local statement_timeout = '1min';
""")
