"""The targets of the report by name: factories of the measured web processes."""

import os

from bench import floor, site
from pipeline.cli import logs
from pipeline.http.server.application import make_app


def _application():
    return make_app(site.current().settings())


TARGETS = {"application": _application, "floor": floor.make}


def make():
    """The WSGI application named by BENCH_TARGET; it logs as in production."""
    logs.configure(development=False)
    return TARGETS[os.environ["BENCH_TARGET"]]()
