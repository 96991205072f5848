"""Signed links to a form that shows how a template asks, and keeps nothing: for colleagues, for a day."""

from typing import NamedTuple

from pipeline.errors import Problem
from pipeline.http import signed_links
from pipeline.settings import Settings

HOURS = 24
PURPOSE = b"links to previews"


class PreviewLink(NamedTuple):
    """What a link says: which template, until when (epoch)."""

    organization_id: int
    template_id: int
    expires: int


def preview_url(settings: Settings, organization_id: int, template_id: int) -> tuple[str, int]:
    """(address, when it ends as epoch) of the preview of a template."""
    made = signed_links.sign(settings, PURPOSE, HOURS * 3600, org=organization_id, template=template_id)
    if made is None:
        raise Problem("unavailable", "There is no JWT_SECRET with which the link could be signed.")
    signed, expires = made
    return f"{settings.public_url}/forms/preview/{signed}", expires


def read_preview(settings: Settings, signed: str) -> PreviewLink:
    """The PreviewLink of a signed text; 410 once its time is over, 404 for every text that we have not signed."""
    return PreviewLink(*signed_links.read(settings, PURPOSE, signed, ("org", "template")))
