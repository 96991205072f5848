"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

import os

from pyramid.config import Configurator

from pipeline.settings import load, with_secrets

# In import order: what stands below may use what stands above.
PACKAGES = (
    "pipeline.telemetry.tracing",
    "pipeline.http.routing",
    "pipeline.http.ingress",
    "pipeline.http.compression",
    "pipeline.http.cors",
    "pipeline.http.problems",
    "pipeline.http.limits",
    "pipeline.http.slots",
    "pipeline.database",
    "pipeline.http.security",
    "pipeline.http.authentication",
    "pipeline.http.sources",
    "pipeline.http.replica",
    "pipeline.http.resource",
    "pipeline.http.health",
    "pipeline.http.metrics",
    "pipeline.documentation",
    "pipeline.files",
    "pipeline.documents",
    "pipeline.accounts",
    "pipeline.records",
    "pipeline.notifications",
    "pipeline.changes",
    "pipeline.webhooks",
    "pipeline.leads",
    "pipeline.personal",
    "pipeline.interviews",
    "pipeline.contracts",
    "pipeline.forms",
)


def main(global_config, **ini):
    """The WSGI application from an ini section (PasteDeploy calls it); settings also come from the environment."""
    return make_app(load(ini, with_secrets(os.environ)))


def make_app(settings):
    """The WSGI application for Settings."""
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = settings
    for package in PACKAGES:
        config.include(package)
    return config.make_wsgi_app()
