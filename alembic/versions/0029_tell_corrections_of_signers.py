"""Tell corrections of signers.

The evidence has two new events: a correction of a signer, with the values, and a signature by another name.

Release: the release before raises none of them.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0029"
down_revision = "0028"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_events
    add corrections jsonb check (jsonb_typeof(corrections) = 'object'),
    add former_email_key text collate "C",
    drop constraint signature_events_event_check,
    add constraint signature_events_event_check check (event in ('sent', 'reminded', 'viewed', 'code_sent', 'verified',
        'corrected', 'name_confirmed', 'signed', 'declined', 'cancelled', 'expired', 'completed', 'copy_replaced',
        'copy_deleted')) not valid;
comment on column app.signature_events.event is
    'sent, reminded, viewed, code_sent, verified, corrected, name_confirmed (the signer signed by another name), '
    'signed, declined, cancelled, expired, completed, copy_replaced or copy_deleted.';
comment on column app.signature_events.corrections is
    'The corrected fields of the signer with their old and new values; null after an erasure of the former person.';
comment on column app.signature_events.former_email_key is 'The key of the address before a correction.';
grant insert (corrections, former_email_key) on app.signature_events to pipeline_member;
grant update (corrections, former_email_key) on app.signature_events to pipeline_admin;
""")
