"""Let people and the worker compare printed names with signers.

Release: the former release goes on serving; it compares these names by itself.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0044"
down_revision = "0043"


def upgrade():
    """Apply the revision."""
    migrations.owned("grant execute on function app.unlike_words, app.names_same to pipeline_member, pipeline_jobs")
