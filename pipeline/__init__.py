"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

from pyramid.config import Configurator
from pyramid.tweens import EXCVIEW, INGRESS, MAIN

# In import order: a package uses only those above it.
PACKAGES = (
    "pipeline.process.tracing",
    "pipeline.http.front.routing",
    "pipeline.http.core.problems",
    "pipeline.http.quotas.limits",
    "pipeline.http.quotas.slots",
    "pipeline.database",
    "pipeline.http.core.security",
    "pipeline.http.callers.authentication",
    "pipeline.http.endpoints.replica",
    "pipeline.http.endpoints.resource",
    "pipeline.http.front.health",
    "pipeline.http.front.metrics",
    "pipeline.http.documentation",
    "pipeline.files",
    "pipeline.documents",
    "pipeline.accounts.passwords",
    "pipeline.forms",
    "pipeline.changes.webhooks.described",
    "pipeline.signing.pages",
)
# From the outside in; exceptions inside EXCVIEW become problems.
TWEENS = (
    INGRESS,
    "pipeline.http.front.ingress.tween_factory",
    "pipeline.http.front.compression.tween_factory",
    EXCVIEW,
    MAIN,
)
SUBJECTS = ("accounts", "records", "changes", "leads", "interviews", "contracts", "forms", "signing")


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
    config.include("pipeline.http.endpoints.resource.register")
