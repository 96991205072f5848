"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

from typing import TYPE_CHECKING

# Most commands need no Pyramid.
if TYPE_CHECKING:
    from pyramid.config import Configurator

# In import order: a package uses only those above it.
PACKAGES = (
    "pipeline.process.tracing",
    "pipeline.http.front.routing",
    "pipeline.http.core.problems",
    "pipeline.http.quotas.limits",
    "pipeline.http.quotas.slots",
    "pipeline.http.quotas.lines",
    "pipeline.database",
    "pipeline.http.core.security",
    "pipeline.http.callers.authentication",
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
SUBJECTS = ("accounts", "records", "changes", "leads", "interviews", "contracts", "forms", "signing")


def includeme(config: "Configurator") -> None:
    """Include all packages, tweens and endpoints."""
    from pyramid.tweens import EXCVIEW, INGRESS

    for package in PACKAGES:
        config.include(package)
    # From the outside in; exceptions inside EXCVIEW become problems.
    ingress, compression = "pipeline.http.front.ingress.tween_factory", "pipeline.http.front.compression.tween_factory"
    config.add_tween(ingress, under=INGRESS, over=compression)
    config.add_tween(compression, under=ingress, over=EXCVIEW)
    config.include(declare)


def declare(config: "Configurator") -> None:
    """Register the endpoints that the modules of the subjects declare."""
    for subject in SUBJECTS:
        # Its modules import pyHanko, which only a seal and its check need.
        config.scan(f"pipeline.{subject}", ignore="pipeline.signing.sealing")
    config.include("pipeline.http.endpoints.resource.register")
    config.include("pipeline.http.endpoints.html_pages.register")
