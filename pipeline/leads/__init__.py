"""Leads: the people who ask, from the first contact to a qualified contact, company and deal."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/leads. The fixed paths are scanned first: a path that names no id must not be taken for one."""
    config.scan("pipeline.leads.matching_views")
    config.scan("pipeline.leads.transfer_views")
    config.scan("pipeline.leads.views")
