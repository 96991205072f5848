"""The record of change: what programs follow to learn what was made, changed and deleted."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/changes and /audit."""
    config.scan("pipeline.changes.views")
    config.scan("pipeline.changes.audit_views")
