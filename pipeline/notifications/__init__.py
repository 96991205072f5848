"""Notifications: what the organization's people are told, in the service and by email."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/notifications. The fixed path is scanned first: a path that names no id must not be taken for one."""
    config.scan("pipeline.notifications.reading_views")
    config.scan("pipeline.notifications.views")
