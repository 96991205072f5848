"""Mail signed copies to others.

Release: the release before writes no such email, and takes it for one with a link.

Rollback: let the worker send the emails with signed copies first.
"""

from pipeline.database import migrations

revision = "0035"
down_revision = "0034"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.emails
    drop constraint emails_signer_part_check,
    add constraint emails_signer_part_check
        check (signer_part in ('sign', 'reminder', 'code', 'completed', 'copy', 'ended')) not valid;
comment on column app.emails.signer_part is
    'sign (first email with the link), reminder, code (to confirm the address), completed (with a link to the signed '
    'copy), copy (the signed copy to another address) or ended (declined or cancelled); null without a signer.';
""")
