"""Let an erasure count drafts.

It deletes the drafts of public forms with the person's words, and each deletion changes the statistics.

Release: nothing.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0027"
down_revision = "0026"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
grant insert (organization_id, template_id, day, fact, name, value, delta) on app.interview_tallies to pipeline_lookup
""")
