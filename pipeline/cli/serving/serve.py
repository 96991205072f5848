"""`pipeline serve`: development also migrates and runs the worker; production has worker processes."""

import os
import signal
from contextlib import closing

import click

from pipeline.cli import logs
from pipeline.cli.checks.ready import wait_for_servers
from pipeline.cli.installation import Installation
from pipeline.cli.serving.listening import bound_socket
from pipeline.cli.serving.processes import Processes, signalled
from pipeline.cli.serving.processes import serve as run
from pipeline.database import hangup
from pipeline.process import cores, metrics

READY = """
Pipeline is ready on {url}

  Demo logins   admin@acme.example, rep@acme.example, admin@globex.example, both@example.com
  Password      pipeline-demo
  Try           curl -s {url}/api/auth/login -H 'Content-Type: application/json' \\
                  -d '{{"email": "admin@acme.example", "password": "pipeline-demo"}}'
  And then      the whole story in README.md. Ctrl-C stops everything.
"""


@click.command()
@click.option(
    "--host", envvar="HOST", default="127.0.0.1", show_default=True, help="The address to listen on. Or set HOST."
)
@click.option(
    "--port",
    envvar="PORT",
    type=click.IntRange(1, 65535),
    default=6543,
    show_default=True,
    help="The port to listen on. Or set PORT.",
)
@click.option(
    "--workers",
    envvar="WEB_WORKERS",
    type=click.IntRange(1),
    default=cores.number(),
    help="Processes in production. Default: one per core. Or set WEB_WORKERS.",
)
@click.option(
    "--bind/--no-bind",
    envvar="WEB_BIND",
    default=True,
    show_default=True,
    help="In production, bind each process to one core. Or set WEB_BIND.",
)
@click.pass_obj
def serve(installation: Installation, host: str, port: int, workers: int, bind: bool) -> None:
    """Serve HTTP until SIGTERM or Ctrl-C."""
    try:
        if installation.development:
            serve_development(installation, host, port)
        else:
            serve_production(installation, host, port, workers, bind)
    except KeyboardInterrupt:
        pass  # also during the start
    installation.log("Pipeline has stopped.")


def serve_development(installation: Installation, host: str, port: int) -> None:
    """Migrate, load the demo data, serve."""
    # Development only; in production each web process imports the application.
    from development.demo import load
    from development.worker import working
    from pipeline.cli.databases.schema import upgrade
    from pipeline.cli.serving.web import server_of
    from pipeline.http.server.application import make_app

    # A taken port should fail before the database starts.
    with closing(bound_socket(host, port)) as listener:
        url = f"http://{host}:{port}"
        installation.environ.setdefault("PUBLIC_URL", url)
        with installation.access(queue=True) as access:
            upgrade(access, installation.log)
            load(access.owner_url, installation.log)
            logs.configure(development=True)
            app = make_app(access.settings)
            server = server_of(app, listener, access.settings.web_threads)
            click.echo(READY.format(url=url))
            web = app.registry
            with closing(web.limits), closing(web.forms), closing(web.app), closing(server), working(installation):
                run(server, (signalled(signal.SIGTERM, signal.SIGINT),))


def serve_production(installation: Installation, host: str, port: int, workers: int, bind: bool) -> None:
    hangup.ignore()
    logs.configure(development=False)
    with installation.access(queue=True) as access:
        wait_for_servers(access.settings)
        threads = access.settings.web_threads
    # For the worker processes.
    os.environ["PIPELINE_CONFIG"] = str(installation.config)
    with closing(bound_socket(host, port)) as listener, metrics.together():
        Processes("pipeline.cli.serving.web:production_server", listener, workers, threads, bind).serve()
