"""The WSGI application."""

import os

from pyramid.config import Configurator
from pyramid.router import Router

from pipeline.process.settings import Settings, load, with_secrets


def main(global_config: object, **ini: str) -> Router:
    """The WSGI application for PasteDeploy; the environment overrides `ini`."""
    return make_app(load(ini, with_secrets(os.environ)))


def make_app(settings: Settings) -> Router:
    config = Configurator(settings={"handle_exceptions": False})
    config.registry.pipeline = settings
    config.include("pipeline")
    return config.make_wsgi_app()
