"""Periodic jobs, safe to repeat, overlap or delay."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import psycopg
import structlog

from pipeline.database import Database, queries
from pipeline.database.effects import organization
from pipeline.database.waiting import first_line
from pipeline.process import metrics
from pipeline.process.metrics import series
from pipeline.process.settings import Settings

MINUTE, HOUR = 60, 3600

log = structlog.get_logger("pipeline.jobs")


class Job(NamedTuple):
    """A statement for each organization, every `every` seconds.

    once: per server. days: its retention setting.
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
        Job("end_overdue", MINUTE, lambda: queries.overdue_end(), once=True),
        # Hourly: days end at different hours by time zone.
        Job("expire_invites", HOUR, lambda: queries.invites_expire()),
        Job("expire_contracts", HOUR, lambda: queries.contracts_expire()),
        Job("expire_signatures", HOUR, lambda: queries.signatures_expire(contract_id=None)),
        Job("purge_idempotency_keys", HOUR, lambda: queries.idempotency_keys_purge()),
        Job("purge_capture_drafts", HOUR, lambda: queries.capture_drafts_purge()),
        Job("purge_invitations", HOUR, lambda: queries.invitations_purge()),
        Job("purge_outbox", HOUR, lambda: queries.outbox_purge()),
        Job("purge_changes", HOUR, lambda days: queries.changes_purge(days=days), days="audit_days"),
        Job("purge_mail_days", HOUR, lambda: queries.mail_days_purge()),
        Job("purge_webhook_deliveries", HOUR, lambda: queries.webhook_deliveries_purge()),
        Job("purge_sessions", HOUR, lambda: queries.sessions_purge(), once=True),
    )
}
INTERVALS = sorted({job.every for job in JOBS.values()})
# Servers that were away.
_away: set[str] = set()


def run_every(database: Database, settings: Settings, seconds: int) -> None:
    """Run an interval's jobs in turn; skips servers that are away."""
    there = database.servers()
    for job in JOBS.values():
        if job.every == seconds:
            _run(job, settings, there)


def run(database: Database, settings: Settings, name: str) -> int:
    """Run a job on all available servers; returns the number of changed rows. Logs failures."""
    return _run(JOBS[name], settings, database.servers())


def _run(job: Job, settings: Settings, there: list[Database]) -> int:
    started, changed, asked = time.monotonic(), 0, len(there)
    given = {"days": getattr(settings, job.days)} if job.days else {}
    for server in list(there):
        try:
            changed += _on_server(server, job, given)
            _away.discard(server.address)
        except psycopg.OperationalError as error:
            there.remove(server)
            if server.address not in _away:
                log.warning("jobs wait for a server", server=server.address, error=first_line(error))
            _away.add(server.address)
    seconds = time.monotonic() - started
    series(metrics.jobs, job.name).observe(seconds)
    if len(there) == asked:
        series(metrics.job_ends, job.name).set_to_current_time()
    (log.info if changed else log.debug)("job", job=job.name, changed=changed, ms=round(seconds * 1000))
    return changed


def _on_server(server: Database, job: Job, given: dict[str, Any]) -> int:
    if job.once:
        return _done(job, server.transaction(), given)
    with server.transaction():
        ids = [row["organization_id"] for row in queries.organization_ids()]
    return sum(_done(job, organization(server, id), given, organization_id=id) for id in ids)


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
