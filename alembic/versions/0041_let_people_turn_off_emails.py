"""Let people turn off emails about notifications.

Release: the former release sends all emails, whatever a user has chosen.

Rollback: the choices are lost.
"""

from pipeline.database import migrations

revision = "0041"
down_revision = "0040"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
create table app.notification_emails (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null,
    interviews boolean not null,
    leads boolean not null,
    signatures boolean not null,
    webhooks boolean not null,
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
);
comment on table app.notification_emails is
    'The kinds of notifications that a user gets by email too; all without a row.';
comment on column app.notification_emails.interviews is
    'Submitted interviews, requests for a link, undelivered invites.';
comment on column app.notification_emails.leads is 'Captured leads, also as a digest.';
comment on column app.notification_emails.signatures is 'Signature requests that end, or whose emails or seal fail.';
comment on column app.notification_emails.webhooks is 'Paused webhooks.';

call app.isolate('app.notification_emails', 'pipeline_jobs');

create policy own on app.notification_emails to pipeline_member
    using (user_id = nullif(current_setting('app.user_id', true), '')::bigint);
grant select, insert (organization_id, user_id, interviews, leads, signatures, webhooks),
    update (interviews, leads, signatures, webhooks) on app.notification_emails to pipeline_member;
grant select on app.notification_emails to pipeline_jobs;
""")
