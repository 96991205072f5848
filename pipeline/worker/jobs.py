"""What is done by time. Every job may be repeated, run twice at once, or come late: it changes only what is due."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg
import structlog

from pipeline.database import Database, queries
from pipeline.database.effects import organization
from pipeline.settings import Settings
from pipeline.telemetry import metrics
from pipeline.telemetry.metrics import series

MINUTE, HOUR = 60, 3600

log = structlog.get_logger("pipeline.jobs")


class Job(NamedTuple):
    """Periodic work: its name, how often in seconds, and the statement, run in each organization.

    once: it is for all of them, and run once on each server.
    days: the name of the setting that tells the statement for how many days something is kept.
    """

    name: str
    every: int
    statement: Callable[..., int]
    once: bool = False
    days: str | None = None


JOBS = {
    job.name: job
    for job in (
        Job("fold_record_counts", MINUTE, lambda: queries.record_counts_fold()),
        Job("fold_interview_tallies", MINUTE, lambda: queries.interview_tallies_fold()),
        Job("count_changes", MINUTE, lambda: queries.changes_counted()),
        Job("end_overdue", MINUTE, lambda: queries.overdue_end(), once=True),
        # Hourly, because a day ends in another hour in each time zone.
        Job("expire_invites", HOUR, lambda: queries.invites_expire()),
        Job("expire_contracts", HOUR, lambda: queries.contracts_expire()),
        Job("purge_idempotency_keys", HOUR, lambda: queries.idempotency_keys_purge()),
        Job("purge_invitations", HOUR, lambda: queries.invitations_purge()),
        Job("purge_outbox", HOUR, lambda: queries.outbox_purge()),
        Job("purge_changes", HOUR, lambda days: queries.changes_purge(days=days), days="audit_days"),
        Job("purge_mail_days", HOUR, lambda: queries.mail_days_purge()),
        Job("purge_webhook_deliveries", HOUR, lambda: queries.webhook_deliveries_purge()),
        Job("purge_sessions", HOUR, lambda: queries.sessions_purge(), once=True),
    )
}


INTERVALS = sorted({job.every for job in JOBS.values()})


def run_every(database: Database, settings: Settings, seconds: int) -> None:
    """Run the jobs of this interval, one after the other: they must not take every thread from the events."""
    for job in JOBS.values():
        if job.every == seconds:
            run(database, settings, job.name)


def run(database: Database, settings: Settings, name: str) -> int:
    """Run the job of this name; returns how many rows it changed.

    Each organization has its own transaction: one whose statement fails is logged and the others go on. A database
    that cannot be reached raises psycopg.OperationalError.
    """
    job, started = JOBS[name], time.monotonic()
    given = {"days": getattr(settings, job.days)} if job.days else {}
    if job.once:
        changed = sum(_on_server(server, job, given) for server in database.servers())
    else:
        with database.transaction():
            ids = [row["organization_id"] for row in queries.organization_ids()]
        changed = sum(_in_organization(database, job, organization_id, given) for organization_id in ids)
    seconds = time.monotonic() - started
    series(metrics.jobs, name).observe(seconds)
    series(metrics.job_ends, name).set_to_current_time()
    log.info("job", job=name, changed=changed, ms=round(seconds * 1000))
    return changed


def _on_server(server: Database, job: Job, given: dict[str, Any]) -> int:
    with server.transaction():
        return job.statement(**given)


def _in_organization(database: Database, job: Job, organization_id: int, given: dict[str, Any]) -> int:
    try:
        with organization(database, organization_id):
            return job.statement(**given)
    except psycopg.Error as error:
        # With a code the server has refused this statement alone; without one it is away, for all organizations.
        if error.sqlstate is None:
            raise
        series(metrics.job_failures, job.name).inc()
        log.error("job failed", job=job.name, organization_id=organization_id, exc_info=error)
        return 0
