"""`pipeline worker`."""

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial

import click
import structlog
from prometheus_client import start_http_server

from pipeline import mail
from pipeline.cli import logs
from pipeline.cli.checks.ready import check_ready
from pipeline.cli.installation import Installation
from pipeline.database import hangup, renewal
from pipeline.database.waiting import until_redis, until_there
from pipeline.process import metrics
from pipeline.process.loading import without_garbage_collection
from pipeline.process.settings import Settings
from pipeline.worker.fleet import Fleet, end_with_parent
from pipeline.worker.queues import QUEUES

OFF = "off"

log = structlog.get_logger(__name__)


@click.command()
@click.option("--queue", type=click.Choice(QUEUES), help="Process only this queue, in this process.")
@click.option("--supervised", is_flag=True, hidden=True, help="Exit when standard input closes.")
@click.pass_obj
@click.pass_context
def worker(context: click.Context, installation: Installation, queue: str | None, supervised: bool) -> None:
    """Deliver events until SIGTERM or Ctrl-C, with a process for each queue.

    Waits for PostgreSQL and Redis at the start, and again whenever they are away.
    """
    hangup.ignore()
    if supervised:
        end_with_parent()
    logs.configure(installation.development)
    code = 0
    with contextlib.suppress(KeyboardInterrupt):  # during the start
        code = work_on(installation, queue, supervised) if queue else work_on_all(installation)
    if not supervised:
        log.info("worker has stopped")
    context.exit(code)


def work_on(installation: Installation, queue: str, supervised: bool) -> int:
    """Work on one queue; returns the exit code."""
    # Only this process needs Celery.
    with without_garbage_collection():
        from pipeline.signing import sealing
        from pipeline.worker.process import run

    with (
        installation.access(queue=True) as access,
        serve_metrics(OFF if supervised else access.settings.worker_metrics),
    ):
        wait_until_ready(access.settings)
        sealing.log_unusable_certificate(access.settings)
        return run(access.settings, queue) or 0


def work_on_all(installation: Installation) -> int:
    """Run a process for each queue; returns the exit code."""
    program = [sys.executable, "-m", "pipeline", "--config", str(installation.config), "worker", "--supervised"]
    environ = {**os.environ, **installation.environ, "DATA_DIR": str(installation.data_folder)}
    commands = {name: [*program, "--queue", name] for name in QUEUES}
    # Report common errors once.
    with (
        installation.access(queue=True) as access,
        metrics.together() as counting,
        serve_metrics(access.settings.worker_metrics),
    ):
        wait_until_ready(access.settings)
        return Fleet(commands, environ | counting).run()


@contextlib.contextmanager
def serve_metrics(address: str) -> Iterator[None]:
    """Serve `http://ADDRESS/metrics` during the block; ADDRESS is `host:port` or OFF."""
    with contextlib.ExitStack() as ending:
        if address != OFF:
            host, _, port = address.rpartition(":")
            try:
                server, _thread = start_http_server(int(port), host.strip("[]"), metrics.counted())
                ending.callback(server.server_close)
                ending.callback(server.shutdown)
            except OSError as error:
                # Another worker has the port.
                log.warning("metrics are not shown", address=address, reason=error.strerror)
        yield


def wait_until_ready(settings: Settings) -> None:
    """Wait for PostgreSQL and Redis; raises SettingsError, Failure, StatementError."""
    mail.check(settings)
    until_there("PostgreSQL", partial(check_ready, settings, (settings.database_jobs_url, renewal.JOBS)))
    until_redis(settings.redis_url)
