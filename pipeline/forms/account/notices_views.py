"""The page of a notification or digest, opened by a signed link."""

import datetime
import functools
import time

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP
from pipeline.files import file_response
from pipeline.forms.page.form import open_notices
from pipeline.forms.page.visit import Visit, visit_by
from pipeline.http.fairness import slots
from pipeline.http.signed_links import answers_url, read_notice
from pipeline.validation.errors import Problem

visit_link = visit_by(read_notice, "notice_expired")
page = HtmlPage("/forms/notifications/{signed}", visit_link)
file = HtmlPage("/forms/notifications/{signed}/copy", visit_link)


@page.on("GET", transaction=APP)
def get_notice(visit: Visit) -> Shown:
    """Shows the notifications."""
    about, found = open_notices(visit.signed)
    t, time_zone = visit.speak(about), about["time_zone"]
    until = datetime.datetime.fromtimestamp(visit.signed.expires, datetime.UTC).isoformat()
    notices = [
        {**row, "at": t.moment(row["created_at"].isoformat(), time_zone), "answers": _answers(visit, row["invite_id"])}
        for row in found
    ]
    return functools.partial(visit.render, "notice.html", notices=notices, until=t.timestamp(until, time_zone))


def _answers(visit: Visit, invite_id: int | None) -> str | None:
    """The URL of an invite's answers, as long as this page's."""
    link, settings = visit.signed, visit.request.registry.pipeline
    left = max(1, link.expires - int(time.time()))
    return answers_url(settings, link.organization_id, invite_id, link.user_id, left) if invite_id else None


@file.on("GET", transaction=APP)
def get_signed_copy(visit: Visit) -> Response:
    """Downloads the sealed copy of the notification's contract; raises 404."""
    _about, found = open_notices(visit.signed)
    if not found[0]["sealed_file_id"]:
        raise Problem("not_found")
    return file_response(
        found[0]["sealed_file_id"], functools.partial(slots.hold_download, visit.request, visit.signed.organization_id)
    )
