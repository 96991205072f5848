"""The schema of the first release."""

from sqlalchemy.exc import DBAPIError

from alembic import op
from pipeline.database.migrations import installer
from pipeline.database.revisions import BASELINE, schema

revision = "0001"
down_revision = None

# What is Alembic's own: every login may tell the revision, none may change it.
VERSION_TABLE = """
revoke all on public.alembic_version from public;
grant select on public.alembic_version to pipeline_app, pipeline_forms, pipeline_jobs;
"""


def upgrade():
    """Apply the revision."""
    roles, *subjects = schema(BASELINE)
    create_roles(roles)
    for subject in subjects:
        installer(subject)
    installer(VERSION_TABLE)


def create_roles(roles: str, attempts: int = 10):
    """Create the roles; tried again when another database's migration was doing the same."""
    for attempt in range(1, attempts + 1):
        try:
            with op.get_bind().begin_nested():
                return installer(roles)
        except DBAPIError as error:
            # 42710 and 23505: the role came into being meanwhile. XX000: "tuple concurrently updated".
            if attempt == attempts or error.orig.sqlstate not in {"42710", "23505", "XX000"}:
                raise
    return None
