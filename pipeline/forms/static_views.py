"""Style, script, colours and logo of the pages, and the page for every address below /forms that leads nowhere."""

import re
from typing import NoReturn

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.forms.brand import stylesheet
from pipeline.forms.service import read_logo
from pipeline.forms.visit import Visit, page
from pipeline.http.assets import lasting
from pipeline.http.request import Request

COLORS = re.compile("([0-9a-f]{6})(?:-([0-9a-f]{6})-([0-9a-f]{6}))?", re.ASCII)


def get_asset(request: Request) -> Response:
    """A file of static/."""
    return request.registry.form_assets.response(request)


def get_embed(request: Request) -> Response:
    """The script for pages that embed a form; its address stays, so it is not kept for long."""
    script = request.registry.form_assets.files["embed.js"]
    response = lasting(script.plain or b"", script.content_type)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def get_brand(request: Request) -> Response:
    """The stylesheet of one colour or three, which stand in its name."""
    colors = COLORS.fullmatch(request.matchdict["colors"])
    if colors is None:
        raise Problem("not_found")
    return lasting(stylesheet(*(f"#{color}" for color in colors.groups() if color)).encode(), "text/css")


def get_logo(request: Request) -> Response:
    """An organization's logo by its hash."""
    logo = read_logo(request, request.matchdict["sha256"])
    return lasting(logo["content"], logo["content_type"], charset=None)


@page
def get_elsewhere(visit: Visit) -> NoReturn:
    """No such page."""
    raise Problem("not_found")
