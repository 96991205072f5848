"""Jinja2 over templates/, escaped by default."""

from jinja2 import Environment, PackageLoader

from pipeline.forms.brand import sheet_name

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.forms"), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)


def render(template, assets, texts, branding, values):
    """The HTML of a page. assets: the Assets; branding: the colours' dict; values: what the template shows."""
    return ENVIRONMENT.get_template(template).render(
        t=texts, assets=f"/forms/static/{assets.folder}", sheet=f"/forms/brand/{sheet_name(branding)}.css", **values
    )
