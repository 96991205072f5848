"""Qualifying interviews: templates, invites, the prospect's answers and what a rep reads from them."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/interview-templates, /interview-invites, and /public/interview for prospects."""
    config.scan("pipeline.interviews.views")
    config.scan("pipeline.interviews.public_views")
