"""Contracts and their templates."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/contracts and /contract-templates. Fixed paths first: a path that names no id must not be taken for one."""
    config.scan("pipeline.contracts.tag_views")
    config.scan("pipeline.contracts.preview_views")
    config.scan("pipeline.contracts.template_views")
    config.scan("pipeline.contracts.views")
