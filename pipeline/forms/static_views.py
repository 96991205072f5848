"""Style, script, colours and logo of the pages, and the page for every address below /forms that leads nowhere."""

import re

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.forms.assets import FOR_GOOD
from pipeline.forms.brand import stylesheet
from pipeline.forms.service import read_logo
from pipeline.forms.visit import page

COLORS = re.compile("([0-9a-f]{6})-([0-9a-f]{6})-([0-9a-f]{6})", re.ASCII)


def get_asset(request):
    """A file of static/, compressed for who takes that."""
    assets, name = request.registry.form_assets, request.matchdict["name"]
    if request.matchdict["hash"] != assets.folder or name not in assets.files:
        raise Problem("not_found")
    asset = assets.files[name]
    # Without the header RFC 9110 admits every encoding, but a client that sends none mostly cannot decompress.
    named = "Accept-Encoding" in request.headers
    packed = named and request.accept_encoding.acceptable_offers(["gzip"])
    response = _lasting(asset.packed if packed else asset.plain, asset.content_type)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return response


def get_brand(request):
    """The stylesheet of three colours, which stand in its name."""
    colors = COLORS.fullmatch(request.matchdict["colors"])
    if colors is None:
        raise Problem("not_found")
    return _lasting(stylesheet(*(f"#{color}" for color in colors.groups())).encode(), "text/css")


def get_logo(request):
    """An organization's logo by its hash."""
    logo = read_logo(request, request.matchdict["sha256"])
    return _lasting(logo["content"], logo["content_type"], charset=None)


@page
def get_elsewhere(visit):
    """No such page."""
    raise Problem("not_found")


def _lasting(body, content_type, charset="utf-8"):
    response = Response(body, content_type=content_type, charset=charset)
    response.headers["Cache-Control"] = FOR_GOOD
    return response
