"""Hosted pages."""

from pathlib import Path

from pyramid.config import Configurator

from pipeline.forms.page import static_views
from pipeline.forms.page.form import Look, Recent
from pipeline.forms.page.rendering import ENVIRONMENT
from pipeline.forms.page.visit import Visit
from pipeline.forms.questions.countries import countries_module
from pipeline.forms.translations import CATALOGUES
from pipeline.http.security import PUBLIC
from pipeline.http.server.assets import Assets


def includeme(config: Configurator) -> None:
    """Prepares the public pages below /forms, authenticated by the URL's token, slug or signed link."""
    # Compiled at startup, not in a request.
    for template in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(template)
    assets = config.registry.form_assets = Assets(
        Path(__file__).parent / "static", {"countries.js": countries_module(CATALOGUES)}
    )
    # Looks by path; organizations of pages that need a slot, by path and step.
    config.registry.form_looks = Recent[str, Look]()
    config.registry.heavy_pages = Recent[tuple[str, str | None], int | None]()
    config.registry.failure_pages["/forms/"] = lambda request, problem: Visit(request).failed(problem)
    for name, path, view in (
        ("form_asset", "/forms/static/{hash}/{name}", assets.response),
        ("favicon", "/favicon.ico", static_views.get_favicon),
        ("form_embed", "/forms/embed.js", static_views.get_embed),
        ("form_brand", "/forms/brand/{colors}.css", static_views.get_brand),
    ):
        config.add_route(name, path, request_method=("GET", "HEAD"))
        config.add_view(view, route_name=name, permission=PUBLIC)
