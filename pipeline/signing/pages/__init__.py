"""The hosted pages of signing."""

from pathlib import Path

from pyramid.config import Configurator

from pipeline.http.security import PUBLIC
from pipeline.http.server.assets import Assets
from pipeline.signing.pages.visit import ENVIRONMENT, SigningVisit


def includeme(config: Configurator) -> None:
    """Prepares the public pages below /sign, authenticated by the token in the URL, and /verify."""
    for template in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(template)
    assets = config.registry.signing_assets = Assets(Path(__file__).parent / "static")
    for prefix in ("/sign/", "/verify"):
        config.registry.failure_pages[prefix] = lambda request, problem: SigningVisit(request).failed(problem)
    config.add_route("sign_asset", "/sign/static/{hash}/{name}", request_method=("GET", "HEAD"))
    config.add_view(assets.response, route_name="sign_asset", permission=PUBLIC)
