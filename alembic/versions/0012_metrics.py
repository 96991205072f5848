"""How many events wait, over all organizations: a number for monitoring, nothing of any of them."""

from pipeline.database.migrations import lookups

revision = "0012"
down_revision = "0011"

LOOKUPS = """
create function app.outbox_backlog() returns table (waiting bigint, oldest_seconds double precision)
    language sql stable security definer set search_path = app, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(o.due_at)), 0)
    from app.outbox o where o.done_at is null and o.due_at <= now()
$$;
comment on function app.outbox_backlog is 'Events that are due and not delivered, and for how long the oldest is due.';
grant execute on function app.outbox_backlog to pipeline_app;
"""


def upgrade():
    """Apply the revision."""
    lookups(LOOKUPS)
