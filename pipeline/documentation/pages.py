"""Jinja2 over templates/, escaped by default."""

from jinja2 import Environment, PackageLoader

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.documentation"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def render(template, assets, **values):
    """The bytes of a page. assets: the Assets that it loads; values: what the template shows."""
    return ENVIRONMENT.get_template(template).render(assets=f"/docs/static/{assets.folder}", **values).encode()
