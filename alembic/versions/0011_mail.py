"""What sending an email exactly once needs to remember, and how its sender and recipient are called.

transmitting_at is set, and committed, before the content goes to the mail server: who finds it set and no answer
beside it cannot know whether the server took the message. claims counts the attempts, so that a worker that was
taken for dead notices that another one has gone on. unanswered counts the times that the server broke off after
it had the content.
"""

from pipeline.database.migrations import owned

revision = "0011"
down_revision = "0010"

STATEMENTS = """
alter table app.emails
    add column from_name text,
    add column to_name text,
    add column reply_to_email text,
    add column claims integer not null default 0 check (claims >= 0),
    add column transmitting_at timestamptz,
    add column unanswered integer not null default 0 check (unanswered >= 0);
grant insert (from_name, to_name, reply_to_email), update (claims, transmitting_at, unanswered)
    on app.emails to pipeline_jobs;

create index notifications_unread on app.notifications (organization_id, user_id, id) where read_at is null;
"""


def upgrade():
    """Apply the revision."""
    owned(STATEMENTS)
