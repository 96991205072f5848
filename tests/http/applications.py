"""Applications beside the one that all tests share."""

import contextlib
from dataclasses import replace

from pipeline.http.server.application import make_app
from pipeline.process.settings import load


@contextlib.contextmanager
def application(settings, **changes):
    """An application by changed settings; its connections are closed afterwards."""
    app = make_app(replace(settings, **changes))
    try:
        yield app
    finally:
        for part in (app.registry.app, app.registry.forms, app.registry.limits):
            part.close()


def settings_of(server, **environ):
    """The settings of an application on a further server, with changes by environment variable."""
    urls = {"DATABASE_URL": server.url("pipeline_app"), "DATABASE_FORMS_URL": server.url("pipeline_forms")}
    return load({}, {**urls, "JWT_SECRET": "x" * 32, "RATE_LIMIT_FACTOR": "1000", **environ})
