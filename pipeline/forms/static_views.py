"""Stylesheets, scripts, logos and the 404 page."""

import re
from typing import NoReturn

from pyramid.response import Response

from pipeline.database import not_none
from pipeline.forms.brand import stylesheet
from pipeline.forms.service import read_logo
from pipeline.forms.visit import Visit, page
from pipeline.http.core.request import Request
from pipeline.http.front.assets import lasting
from pipeline.validation.errors import Problem

COLORS = re.compile("([0-9a-f]{6})(?:-([0-9a-f]{6})-([0-9a-f]{6}))?", re.ASCII)


def get_asset(request: Request) -> Response:
    """A file of static/."""
    return request.registry.form_assets.response(request)


def get_embed(request: Request) -> Response:
    """The embedding script, cached one hour at a fixed URL."""
    script = request.registry.form_assets.files["embed.js"]
    response = lasting(not_none(script.plain), script.content_type)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def get_brand(request: Request) -> Response:
    """The stylesheet for one or three colours."""
    colors = COLORS.fullmatch(request.matchdict["colors"])
    if colors is None:
        raise Problem("not_found")
    return lasting(stylesheet(*(f"#{color}" for color in colors.groups() if color)).encode(), "text/css")


def get_logo(request: Request) -> Response:
    """A logo by SHA-256."""
    logo = read_logo(request, request.matchdict["sha256"])
    return lasting(logo["content"], logo["content_type"], charset=None)


@page
def get_elsewhere(visit: Visit) -> NoReturn:
    """Raises 404."""
    raise Problem("not_found")
