"""`pipeline worker`: delivers events and does what is done by time."""

import click

from pipeline.cli import logs
from pipeline.cli.serve import check_schema


@click.command()
@click.option(
    "--threads",
    envvar="WORKER_THREADS",
    type=click.IntRange(1),
    help="Tasks at the same time; 4 unless given. Or WORKER_THREADS.",
)
@click.pass_obj
@click.pass_context
def worker(context, installation, threads):
    """Deliver events until SIGTERM or Ctrl-C."""
    # Only this command pays for Celery's imports.
    from pipeline.worker.process import run

    if threads:
        installation.environ["WORKER_THREADS"] = str(threads)
    with installation.access(queue=True) as access:
        check_schema(access.settings.database_jobs_url)
        logs.configure(installation.development)
        code = run(access.settings)
    installation.log("Pipeline's worker has stopped.")
    context.exit(code or 0)
