"""Keep the secret of an email, encrypted, until its result is known.

An email that is sent twice has the same link under the same Message-ID.

Release: the release before ignores the column, and sends an email again with a new link.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0037"
down_revision = "0036"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.emails add sealed_secret text;
comment on column app.emails.message_id is 'The Message-ID header.';
comment on column app.emails.sealed_secret is
    'The token or code in the email, encrypted outside of the database, to send the same message again; null once the '
    'result is known.';
grant update (sealed_secret) on app.emails to pipeline_jobs;
""")
