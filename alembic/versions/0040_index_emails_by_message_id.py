"""Index emails by their Message-ID.

Release: the index is built while requests go on. Emails of the former release have no organization in their Message-ID;
their bounces change nothing.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0040"
down_revision = "0039"


def upgrade():
    """Apply the revision."""
    migrations.index("emails_message", "on app.emails (organization_id, message_id)")
    migrations.owned("""
comment on column app.emails.message_id is 'The Message-ID header, which begins with the organization''s id.';
""")
