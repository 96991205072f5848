"""Persons: what an organization holds about one, told and erased."""


def includeme(config):
    """/leads/{id}/personal-data and /leads/{id}/erase."""
    config.scan("pipeline.personal.views")
