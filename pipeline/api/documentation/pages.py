"""Jinja2 over templates/, escaped by default."""

from typing import Any

from jinja2 import Environment, PackageLoader

from pipeline.http.server.assets import Assets

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.api.documentation"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def render(template: str, assets: Assets, **values: Any) -> bytes:
    """A page with its assets and the template's values."""
    return ENVIRONMENT.get_template(template).render(assets=f"/docs/static/{assets.folder}", **values).encode()
