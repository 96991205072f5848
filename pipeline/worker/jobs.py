"""Periodic jobs, safe to repeat, overlap or delay."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import psycopg
import structlog

from pipeline.database import Database, queries
from pipeline.database.effects import organization
from pipeline.process import metrics
from pipeline.process.metrics import series
from pipeline.process.settings import Settings

MINUTE, HOUR = 60, 3600

log = structlog.get_logger("pipeline.jobs")


class Job(NamedTuple):
    """A statement for each organization, every `every` seconds.

    once: for all organizations together. days: its retention setting.
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
        Job("renew_statistics", MINUTE, lambda: queries.statistics_renew(), once=True),
        Job("end_overdue", MINUTE, lambda: queries.overdue_end(), once=True),
        # Hourly: days end at different hours by time zone.
        Job("expire_invites", HOUR, lambda: queries.invites_expire()),
        Job("expire_contracts", HOUR, lambda: queries.contracts_expire()),
        Job("expire_signatures", HOUR, lambda: queries.signatures_expire(contract_id=None)),
        Job("purge_idempotency_keys", HOUR, lambda: queries.idempotency_keys_purge()),
        Job("purge_capture_drafts", HOUR, lambda: queries.capture_drafts_purge()),
        Job("purge_lead_imports", HOUR, lambda: queries.lead_imports_purge()),
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
    """Run an interval's jobs in turn, in each cell; raises psycopg.OperationalError if a server is away."""
    away: psycopg.OperationalError | None = None
    for cell in database.cells:
        try:
            for job in JOBS.values():
                if job.every == seconds:
                    run(cell, settings, job.name)
        except psycopg.OperationalError as error:
            away = error
    if away is not None:
        raise away


def run(database: Database, settings: Settings, name: str) -> int:
    """Run a job; returns the number of changed rows. Logs failures; raises psycopg.OperationalError."""
    job, started = JOBS[name], time.monotonic()
    given = {"days": getattr(settings, job.days)} if job.days else {}
    if job.once:
        changed = _done(job, database.transaction(), given)
    else:
        changed = sum(
            _done(job, organization(database, id), given, organization_id=id) for id in _organizations(database)
        )
    seconds = time.monotonic() - started
    series(metrics.jobs, name).observe(seconds)
    series(metrics.job_ends, name).set_to_current_time()
    (log.info if changed else log.debug)("job", job=name, changed=changed, ms=round(seconds * 1000))
    return changed


def _organizations(database: Database) -> list[int]:
    with database.transaction():
        return [row["organization_id"] for row in queries.organization_ids()]


def _done(job: Job, transaction: AbstractContextManager[object], given: dict[str, Any], **labels: int) -> int:
    try:
        with transaction:
            return job.statement(**given)
    except psycopg.Error as error:
        # Without SQLSTATE the server is away.
        if error.sqlstate is None:
            raise
        series(metrics.job_failures, job.name).inc()
        log.error("job failed", job=job.name, **labels, exc_info=error)
        return 0
