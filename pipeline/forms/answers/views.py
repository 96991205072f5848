"""The rep's page of answers, opened by a signed link."""

import datetime
import functools

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP, Row
from pipeline.files import file_response
from pipeline.forms.answers.table import Row as ShownAnswer
from pipeline.forms.answers.table import template_values
from pipeline.forms.page.form import hold_page, open_answers
from pipeline.forms.page.visit import Visit, visit_by
from pipeline.http.fairness import slots
from pipeline.http.signed_links import read_answers
from pipeline.interviews import service
from pipeline.interviews.templates.translations import translated
from pipeline.validation import Values
from pipeline.validation.errors import Problem

visit_link = visit_by(read_answers, "answers_expired")
page = HtmlPage("/forms/answers/{signed}", visit_link)
file = HtmlPage("/forms/answers/{signed}/files/{id}", visit_link)


@page.on("GET", transaction=APP)
def get_answers(visit: Visit) -> Shown:
    """Shows the answers."""
    about, found = open_answers(visit.signed), service.read_responses(visit.signed.invite_id)
    if found is None:
        raise Problem("not_found")
    return functools.partial(_show, visit, about, *found)


def _show(visit: Visit, about: Row, responses: Row, version: Row) -> Response:
    t, link = visit.speak(about), visit.signed
    version = translated(version, [t.language])
    hold_page(visit.request, link.organization_id, version, version["id"], "answers", version["questions"])
    until = datetime.datetime.fromtimestamp(link.expires, datetime.UTC).isoformat()
    return visit.render(
        "answers.html",
        **template_values(about, responses, version, t),
        files=functools.partial(_files, visit, responses["answers"]),
        until=t.timestamp(until, about["time_zone"]),
    )


@file.on("GET", transaction=APP)
def get_file(visit: Visit) -> Response:
    """Downloads a file; raises 404."""
    link, id = visit.signed, visit.request.matchdict["id"]
    open_answers(link)
    file_id = service.file_of(link.invite_id, int(id)) if id.isdecimal() and len(id) < 19 else None
    if file_id is None:
        raise Problem("not_found")
    return file_response(file_id, functools.partial(slots.hold_download, visit.request, link.organization_id))


def _files(visit: Visit, answers: Values, row: ShownAnswer) -> list[tuple[str, str]]:
    files = answers.get(row.question["key"], ()) if row.question["type"] == "file" else ()
    return [
        (f"{visit.request.path_info}/files/{file['id']}", words) for file, words in zip(files, row.words, strict=False)
    ]
