"""Persons: what an organization holds about one, told and erased."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/leads/{id}/personal-data and /leads/{id}/erase."""
    config.scan("pipeline.personal.views")
