"""Hosted pages."""

from pathlib import Path

from pyramid.config import Configurator

from pipeline.forms import account_views, answers_views, static_views, views
from pipeline.forms.looks import Looks
from pipeline.forms.rendering import ENVIRONMENT
from pipeline.forms.visit import failure_page
from pipeline.http.core.security import PUBLIC
from pipeline.http.front.assets import Assets


def includeme(config: Configurator) -> None:
    """Adds the public pages below /forms, authenticated by the URL's token, slug or signed link."""
    # Compiled at startup, not in a request.
    for template in ENVIRONMENT.list_templates():
        ENVIRONMENT.get_template(template)
    config.registry.form_assets = Assets(Path(__file__).parent / "static")
    config.registry.form_looks = Looks()
    config.registry.failure_pages["/forms/"] = failure_page
    config.add_route("form_answers", "/forms/interview/{token}/answers", request_method="PATCH")
    config.add_view(views.save_answers, route_name="form_answers", permission=PUBLIC)
    config.add_route("form_opening", "/forms/interview/{token}/opened", request_method="POST")
    config.add_view(views.post_opening, route_name="form_opening", permission=PUBLIC)
    for name, path, read, written in (
        ("form_interview", "/forms/interview/{token}", views.get_interview, views.post_interview),
        ("form_reminders", "/forms/interview/{token}/reminders", views.get_reminders, views.post_reminders),
        ("form_capture", "/forms/capture/{slug}", views.get_capture, views.post_capture),
        ("form_preview", "/forms/preview/{signed}", views.get_preview, views.post_preview),
        ("form_read", "/forms/answers/{signed}", answers_views.get_answers, None),
        ("form_read_file", "/forms/answers/{signed}/files/{id}", answers_views.get_file, None),
        ("form_activate", "/forms/activate/{token}", account_views.get_activation, account_views.post_activation),
        ("form_reset", "/forms/reset/{token}", account_views.get_reset, account_views.post_reset),
        ("form_forgot", "/forms/forgot", account_views.get_forgot, account_views.post_forgot),
        ("form_asset", "/forms/static/{hash}/{name}", static_views.get_asset, None),
        ("form_embed", "/forms/embed.js", static_views.get_embed, None),
        ("form_brand", "/forms/brand/{colors}.css", static_views.get_brand, None),
        ("form_logo", "/forms/logo/{sha256}", static_views.get_logo, None),
        ("form_elsewhere", "/forms/*rest", static_views.get_elsewhere, None),
    ):
        config.add_route(name, path, request_method=("GET", "HEAD") + (("POST",) if written else ()))
        config.add_view(read, route_name=name, request_method=("GET", "HEAD"), permission=PUBLIC)
        if written:
            config.add_view(written, route_name=name, request_method="POST", permission=PUBLIC)
