"""What leads, interviews and contracts share and refer to."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """/companies, /contacts, /deals, /deal-stages, /quotes, configurators, /organization and /teams."""
    config.scan("pipeline.records")
