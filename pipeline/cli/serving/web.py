"""The web service of production; few imports save memory."""

import os
import signal
from contextlib import closing
from functools import partial
from socket import socket

from pyramid.router import Router

from pipeline.cli import logs
from pipeline.cli.checks.ready import wait_for_servers
from pipeline.cli.installation import Installation
from pipeline.cli.serving.listening import bound_socket
from pipeline.cli.serving.processes import serve, signalled
from pipeline.database import hangup, renewal
from pipeline.http.authentication import known_organization
from pipeline.http.server.application import main
from pipeline.http.server.serving import WebServer
from pipeline.process.settings import Settings, check_production


def production_server(listener: socket, threads: int, core: int | None) -> WebServer:
    """The Server of a process, configured by PIPELINE_CONFIG."""
    logs.configure(development=False)
    application = main({}, **Installation(os.environ["PIPELINE_CONFIG"]).ini)
    return renewing_server(application, listener, threads, core)


def renewing_server(application: Router, listener: socket, threads: int, core: int | None = None) -> WebServer:
    """The application's Server; SIGHUP reloads `sql/`."""
    registry = application.registry
    renewal.renew_on_hangup((registry.app, renewal.APP), (registry.forms, renewal.FORMS))
    return server_of(application, listener, threads, core)


def server_of(application: Router, listener: socket, threads: int, core: int | None = None) -> WebServer:
    registry = application.registry
    organization_of = partial(known_organization, registry)
    return WebServer(application, listener, threads, core, registry.pipeline.trusted_proxies, organization_of)


def run(application: Router, _global_config: object, host: str = "127.0.0.1", port: str = "6543") -> None:
    """Serve from this process, for `pserve production.ini`."""
    hangup.ignore()
    logs.configure(development=False)
    settings: Settings = application.registry.pipeline
    check_production(settings)
    wait_for_servers(settings)
    stop = signalled(signal.SIGTERM, signal.SIGINT)
    with closing(bound_socket(host, int(port))) as listener:
        serve(renewing_server(application, listener, settings.web_threads), (stop,))
