"""Leads: the people who ask, from the first contact to a qualified contact, company and deal."""

from pipeline.leads import csv_export
from pipeline.turns import Turns


def includeme(config):
    """/leads. The fixed paths are scanned first: a path that names no id must not be taken for one."""
    config.registry.export_turns = Turns(
        csv_export.AT_ONCE, csv_export.TURN_SECONDS, "Too many exports are under way."
    )
    config.scan("pipeline.leads.matching_views")
    config.scan("pipeline.leads.transfer_views")
    config.scan("pipeline.leads.views")
