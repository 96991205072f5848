"""Stylesheets, scripts, and logos, without limits."""

import functools
import re

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage
from pipeline.database import FORMS, not_none
from pipeline.forms.page.brand import stylesheet
from pipeline.forms.page.form import read_logo
from pipeline.forms.page.visit import Visit
from pipeline.http.request import Request
from pipeline.http.server.assets import immutable_response
from pipeline.validation.errors import Problem

COLORS = re.compile("([0-9a-f]{6})(?:-([0-9a-f]{6})-([0-9a-f]{6}))?", re.ASCII)
logo = HtmlPage("/forms/logo/{sha256}", functools.partial(Visit, counted=False))


def get_embed(request: Request) -> Response:
    """The embedding script, cached one hour at a fixed URL."""
    script = request.registry.form_assets.files["embed.js"]
    response = immutable_response(not_none(script.plain), script.content_type)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def get_favicon(request: Request) -> Response:
    """The icon that browsers ask for without a page, cached one day at a fixed URL."""
    icon = request.registry.form_assets.files["icon.svg"]
    response = immutable_response(not_none(icon.plain), icon.content_type)
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


def get_brand(request: Request) -> Response:
    """The stylesheet for one or three colours."""
    colors = COLORS.fullmatch(request.matchdict["colors"])
    if colors is None:
        raise Problem("not_found")
    return immutable_response(stylesheet(*(f"#{color}" for color in colors.groups() if color)).encode(), "text/css")


@logo.on("GET", transaction=FORMS)
def get_logo(visit: Visit) -> Response:
    """A logo by SHA-256."""
    found = read_logo(visit.request.matchdict["sha256"])
    return immutable_response(found["content"], found["content_type"], charset=None)
