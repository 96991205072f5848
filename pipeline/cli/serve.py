"""`pipeline serve`: the web server.

Development serves from this process, on waitress, after it has migrated and loaded the demo data, with the worker
in a process beside it. Production serves from worker processes with a server of our own (pipeline/server), on a
database that `pipeline migrate` has prepared; `pipeline worker` runs there on its own.
"""

import os
from contextlib import closing
from functools import partial

import click

from pipeline import make_app
from pipeline.cli import logs
from pipeline.cli.installation import Installation
from pipeline.cli.listening import listen
from pipeline.cli.ready import check_ready
from pipeline.cli.schema import load_demo, upgrade
from pipeline.database import hangup, renewal
from pipeline.database.waiting import until_redis, until_there
from pipeline.http import cores
from pipeline.server.processes import Processes
from pipeline.telemetry import metrics

# More than any upload may have: larger bodies waitress need not keep for us to refuse.
LARGEST_BODY = 32 * 1024 * 1024
DEMO_LOGINS = "admin@acme.example, rep@acme.example, admin@globex.example, both@example.com"
READY = """
Pipeline is ready on {url}

  Demo logins   {logins}
  Password      pipeline-demo
  Try           curl -s {url}/api/auth/login -H 'Content-Type: application/json' \\
                  -d '{{"email": "admin@acme.example", "password": "pipeline-demo"}}'
  And then      the whole story in README.md. Ctrl-C stops everything.
"""


@click.command()
@click.option("--host", envvar="HOST", default="127.0.0.1", show_default=True, help="Or HOST.")
@click.option("--port", envvar="PORT", type=click.IntRange(1, 65535), default=6543, show_default=True, help="Or PORT.")
@click.option(
    "--workers",
    envvar="WEB_WORKERS",
    type=click.IntRange(1),
    default=cores.number(),
    help="Processes (production); one for each core unless given. Or WEB_WORKERS.",
)
@click.option(
    "--threads",
    envvar="WEB_THREADS",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Threads of each process. Or WEB_THREADS.",
)
@click.option(
    "--bind/--no-bind",
    envvar="WEB_BIND",
    default=True,
    show_default=True,
    help="Keep the threads of each process on one core (production). Or WEB_BIND.",
)
@click.pass_obj
def serve(installation: Installation, host: str, port: int, workers: int, threads: int, bind: bool) -> None:
    """Serve HTTP until SIGTERM or Ctrl-C."""
    # The settings of the service, and of its worker processes, tell by it how much heavy work leaves a thread free.
    os.environ["WEB_THREADS"] = installation.environ["WEB_THREADS"] = str(threads)
    try:
        if installation.development:
            serve_development(installation, host, port, threads)
        else:
            serve_production(installation, host, port, workers, threads, bind)
    except KeyboardInterrupt:
        pass  # also during the start
    installation.log("Pipeline has stopped.")


def serve_development(installation: Installation, host: str, port: int, threads: int) -> None:
    """Migrate, load the demo data, serve from this process."""
    # Only development has the package.
    from waitress import create_server

    from development.worker import working
    from pipeline.cli.graceful import serve_until_signalled

    # First, because a taken port should not cost the start of a database.
    with closing(listen(host, port)) as listener:
        url = f"http://{host}:{port}"
        installation.environ.setdefault("PUBLIC_URL", url)
        with installation.access(queue=True) as access:
            upgrade(access, installation.log)
            load_demo(access, installation.log)
            logs.configure(development=True)
            app = make_app(access.settings)
            server = create_server(
                app, sockets=[listener], threads=threads, ident=None, max_request_body_size=LARGEST_BODY
            )
            click.echo(READY.format(url=url, logins=DEMO_LOGINS))
            web = app.registry
            with closing(web.limits), closing(web.forms), closing(web.app), closing(server), working(installation):
                serve_until_signalled(server)


def serve_production(installation: Installation, host: str, port: int, workers: int, threads: int, bind: bool) -> None:
    """Wait for the servers, check what must be right, then serve from worker processes."""
    hangup.ignore()
    logs.configure(development=False)
    with installation.access(queue=True) as access:
        settings = access.settings
        logins = (settings.database_url, renewal.APP), (settings.database_forms_url, renewal.FORMS)
        until_there("PostgreSQL", partial(check_ready, settings, *logins))
        until_redis(settings.redis_url)
    # The workers are new processes and read the same configuration.
    os.environ["PIPELINE_CONFIG"] = str(installation.config)
    with closing(listen(host, port)) as listener, metrics.together():
        Processes("pipeline.cli.web:production_app", listener, workers, threads, bind).serve()
