"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

from pyramid.config import Configurator
from pyramid.tweens import EXCVIEW, INGRESS, MAIN

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
