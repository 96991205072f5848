"""What each web process of production runs; it imports no more than that, since all it imports it holds."""

import os
from collections.abc import Callable
from functools import partial
from wsgiref.types import WSGIEnvironment

import click
from pyramid.router import Router

from pipeline import main
from pipeline.cli import logs
from pipeline.cli.installation import Installation, data_folder
from pipeline.database import renewal
from pipeline.database.locks import LockWatch
from pipeline.http.sources import source
from pipeline.server.bounds import Bounds
from pipeline.settings import Settings


def production_app() -> tuple[Router, Bounds, Callable[[WSGIEnvironment], tuple[object, ...]]]:
    """What the server of one worker process takes; see `served`."""
    logs.configure(development=False)
    ini = Installation(os.environ["PIPELINE_CONFIG"], data_folder(os.environ), os.environ, click.echo).ini
    application = main({}, **ini)
    registry = application.registry
    renewal.renew_on_hangup((registry.app, renewal.APP), (registry.forms, renewal.FORMS))
    LockWatch()
    return served(application)


def served(application: Router) -> tuple[Router, Bounds, Callable[[WSGIEnvironment], tuple[object, ...]]]:
    """The application, the Bounds of its server, and whose turn a request takes."""
    return application, bounds_of(application.registry.pipeline), partial(source, application.registry)


def bounds_of(settings: Settings) -> Bounds:
    """The Bounds that Settings say. Behind proxies every connection comes from them: they count the addresses."""
    return Bounds(
        settings.web_header_seconds,
        settings.web_stall_seconds,
        settings.web_bytes_per_second,
        settings.web_idle_seconds,
        settings.web_connections,
        0 if settings.trusted_proxies else settings.web_connections_per_address,
        settings.web_spool_mib,
    )
