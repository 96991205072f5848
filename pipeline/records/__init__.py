"""What leads, interviews and contracts share and refer to."""


def includeme(config):
    """/companies, /contacts, /deals, /deal-stages, /quotes, configurators, /organization and /teams."""
    config.scan("pipeline.records")
