"""What leads, interviews and contracts share and refer to."""


def includeme(config):
    """/companies, /contacts, /deals, /deal-stages, /quotes, configurators, /organization, /users and /teams."""
    for views in ("customer_views", "deal_views", "configurator_views", "organization_views"):
        config.scan(f"pipeline.records.{views}")
