"""The hosted pages of signing."""

from pathlib import Path

from pyramid.config import Configurator

from pipeline.http.core.security import PUBLIC
from pipeline.http.front.assets import Assets
from pipeline.signing.pages import verification, views
from pipeline.signing.pages.visit import ENVIRONMENT, failure_page

READ, WRITTEN = ("GET", "HEAD"), ("POST",)


def includeme(config: Configurator) -> None:
    """Adds the public pages below /sign, authenticated by the token in the URL, and /verify."""
    for template in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(template)
    config.registry.signing_assets = Assets(Path(__file__).parent / "static")
    for prefix in ("/sign/", "/verify"):
        config.registry.failure_pages[prefix] = failure_page
    for name, path, read, written in (
        ("sign", "/sign/{token}", views.get_signing, views.post_signing),
        ("sign_viewed", "/sign/viewed/{token}", None, views.post_viewed),
        ("sign_document", "/sign/document/{token}", views.get_document, None),
        ("sign_copy", "/sign/copy/{token}", views.get_copy, None),
        ("sign_drawing", "/sign/drawing/{token}", views.get_drawing, None),
        ("sign_asset", "/sign/static/{hash}/{name}", views.get_asset, None),
        ("verify", "/verify", verification.get_verification, verification.post_verification),
    ):
        views_by_method = [(methods, view) for methods, view in ((READ, read), (WRITTEN, written)) if view]
        config.add_route(name, path, request_method=[one for methods, _ in views_by_method for one in methods])
        for methods, view in views_by_method:
            config.add_view(view, route_name=name, request_method=methods, permission=PUBLIC)
