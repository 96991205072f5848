"""Runs the revisions on the connection that pipeline.database.migrations hands over; there is no other way in."""

from alembic import context
from pipeline.database.schema_record import record_parts

config = context.config
progress, applied = config.attributes["progress"], config.attributes["applied"]


def told(ctx, step, heads, run_args):
    """Tell the caller which revision has been applied, by the first line of its docstring; record what it made."""
    progress(f"{step.up_revision_id}: {step.up_revision.doc}")
    applied(ctx.connection)
    record_parts(ctx.connection.connection.driver_connection)


context.configure(
    connection=config.attributes["connection"],
    version_table_schema="public",
    transaction_per_migration=True,
    on_version_apply=told,
)
context.run_migrations()
