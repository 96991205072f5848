"""Style, script, colours and logo of the pages, and the page for every address below /forms that leads nowhere."""

import re

from pipeline.errors import Problem
from pipeline.forms.brand import stylesheet
from pipeline.forms.service import read_logo
from pipeline.forms.visit import page
from pipeline.http.assets import lasting

COLORS = re.compile("([0-9a-f]{6})(?:-([0-9a-f]{6})-([0-9a-f]{6}))?", re.ASCII)


def get_asset(request):
    """A file of static/."""
    return request.registry.form_assets.response(request)


def get_brand(request):
    """The stylesheet of one colour or three, which stand in its name."""
    colors = COLORS.fullmatch(request.matchdict["colors"])
    if colors is None:
        raise Problem("not_found")
    return lasting(stylesheet(*(f"#{color}" for color in colors.groups() if color)).encode(), "text/css")


def get_logo(request):
    """An organization's logo by its hash."""
    logo = read_logo(request, request.matchdict["sha256"])
    return lasting(logo["content"], logo["content_type"], charset=None)


@page
def get_elsewhere(visit):
    """No such page."""
    raise Problem("not_found")
