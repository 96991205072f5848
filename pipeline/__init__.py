"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

import os

from pyramid.config import Configurator
from pyramid.router import Router
from pyramid.tweens import EXCVIEW, INGRESS, MAIN

from pipeline.settings import Settings, load, with_secrets

# In import order: a package uses only those above it.
PACKAGES = (
    "pipeline.telemetry.tracing",
    "pipeline.http.routing",
    "pipeline.http.problems",
    "pipeline.http.limits",
    "pipeline.http.slots",
    "pipeline.database",
    "pipeline.http.security",
    "pipeline.http.authentication",
    "pipeline.http.replica",
    "pipeline.http.resource",
    "pipeline.http.health",
    "pipeline.http.metrics",
    "pipeline.documentation",
    "pipeline.files",
    "pipeline.documents",
    "pipeline.accounts.passwords",
    "pipeline.forms",
    "pipeline.webhooks.described",
    "pipeline.signing.pages",
)
# From the outside in; exceptions inside EXCVIEW become problems.
TWEENS = (INGRESS, "pipeline.http.ingress.tween_factory", "pipeline.http.compression.tween_factory", EXCVIEW, MAIN)
SUBJECTS = (
    "accounts",
    "records",
    "notifications",
    "changes",
    "webhooks",
    "leads",
    "personal",
    "interviews",
    "contracts",
    "forms",
    "signing",
)


def main(global_config: object, **ini: str) -> Router:
    """The WSGI application for PasteDeploy; the environment overrides `ini`."""
    return make_app(load(ini, with_secrets(os.environ)))


def make_app(settings: Settings) -> Router:
    """The WSGI application for Settings."""
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = settings
    config.include("pipeline")
    return config.make_wsgi_app()


def includeme(config: Configurator) -> None:
    """Include all packages, tweens and endpoints."""
    for package in PACKAGES:
        config.include(package)
    for outer, tween, inner in zip(TWEENS, TWEENS[1:], TWEENS[2:], strict=False):
        if tween != EXCVIEW:
            config.add_tween(tween, under=outer, over=inner)
    config.include(declare)


def declare(config: Configurator) -> None:
    """Register the endpoints that the modules of the subjects declare."""
    for subject in SUBJECTS:
        # Its modules import pyHanko, which only a seal and its check need.
        config.scan(f"pipeline.{subject}", ignore="pipeline.signing.sealing")
    config.include("pipeline.http.resource.register")
