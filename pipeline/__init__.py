"""Pipeline: qualifying interviews, leads and contracts for software companies that license their products."""

from typing import TYPE_CHECKING

# Most commands need no Pyramid.
if TYPE_CHECKING:
    from pyramid.config import Configurator

# In import order: a package uses only those above it.
PACKAGES = (
    "pipeline.process.tracing",
    "pipeline.http.server.routing",
    "pipeline.http.problems",
    "pipeline.http.fairness.limits",
    "pipeline.http.fairness.slots",
    "pipeline.http.fairness.lines",
    "pipeline.database",
    "pipeline.http.security",
    "pipeline.http.authentication",
    "pipeline.api.resource",
    "pipeline.http.server.health",
    "pipeline.http.server.metrics",
    "pipeline.api.documentation",
    "pipeline.files",
    "pipeline.documents",
    "pipeline.accounts.passwords",
    "pipeline.forms",
    "pipeline.signing.pages",
)
SUBJECTS = ("accounts", "records", "changes", "leads", "interviews", "contracts", "forms", "signing")


def includeme(config: "Configurator") -> None:
    """Include all packages, tweens and endpoints."""
    from pyramid.tweens import EXCVIEW, INGRESS

    for package in PACKAGES:
        config.include(package)
    # From the outside in; exceptions inside EXCVIEW become problems.
    ingress, compression = (
        "pipeline.http.server.ingress.tween_factory",
        "pipeline.http.server.compression.tween_factory",
    )
    config.add_tween(ingress, under=INGRESS, over=compression)
    config.add_tween(compression, under=ingress, over=EXCVIEW)
    config.include(declare)


def declare(config: "Configurator") -> None:
    """Register the endpoints that the modules of the subjects declare."""
    for subject in SUBJECTS:
        # Its modules import pyHanko, which only a seal and its check need.
        config.scan(f"pipeline.{subject}", ignore="pipeline.signing.sealing")
    config.include("pipeline.changes.webhooks.described")
    config.include("pipeline.api.resource.register")
    config.include("pipeline.api.html_pages.register")
