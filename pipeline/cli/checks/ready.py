"""The checks before the service starts."""

from contextlib import closing
from functools import partial

import psycopg

from pipeline.cli.failures import Failure
from pipeline.database import START_SECONDS, open_database, renewal, revisions
from pipeline.database.schema_record import check_parts
from pipeline.database.waiting import until_redis, until_there
from pipeline.process.settings import Settings


def check_ready(settings: Settings, *logins: tuple[str, str]) -> None:
    """Raise LoginRefused, SchemaDiffers or Failure; in production StatementError.

    logins: (URL, role of its statements).
    """
    needed = revisions.head()
    for url, role in logins:
        with psycopg.connect(url, connect_timeout=5) as connection:
            standing = revisions.schema_state(connection)
            if not standing.is_usable_by(needed):
                raise Failure(f"The schema is {why_unusable(standing.revision, needed)}")
            check_parts(connection)
        with closing(open_database(url, 1, patience=START_SECONDS)) as database:
            if settings.environment != "development":
                renewal.check_statements((database, role))


def wait_for_servers(settings: Settings) -> None:
    """Wait for the servers of the web processes, PostgreSQL and Redis; raises Failure."""
    logins = (settings.database_url, renewal.APP), (settings.database_forms_url, renewal.FORMS)
    until_there("PostgreSQL", partial(check_ready, settings, *logins))
    until_redis(settings.redis_url)


def why_unusable(revision: str | None, needed: str) -> str:
    """Why a release cannot use a revision."""
    if revision and revision > needed:
        return f"at {revision}, which no longer serves this release ({needed}): install the newer one."
    return f"at {revision or 'no revision'}, this release needs {needed}: run pipeline migrate."
