"""The rep's page of answers, opened by a signed link."""

import datetime
import functools

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP, Database, Row
from pipeline.files import file_response
from pipeline.forms.account.pages import AccountVisit
from pipeline.forms.answers.table import Row as ShownAnswer
from pipeline.forms.answers.table import template_values
from pipeline.forms.page.form import hold_page, open_answers
from pipeline.forms.page.visit import STATES, Visit
from pipeline.http.fairness import slots
from pipeline.http.signed_links import AnswerLink, read_answers
from pipeline.interviews import service
from pipeline.interviews.templates.translations import translated
from pipeline.validation import Values
from pipeline.validation.errors import Problem


class AnswersVisit(AccountVisit):
    """A request by a signed link."""

    states = {**STATES, "link_expired": "answers_expired"}
    count = Visit.count

    @functools.cached_property
    def signed(self) -> AnswerLink:
        """The link; raises 404 or 410."""
        return read_answers(self.request.registry.pipeline, self.request.matchdict["signed"])

    @property
    def pool(self) -> Database:  # its organization's
        return self.request.registry.app.of(self.signed.organization_id)


page = HtmlPage("/forms/answers/{signed}", AnswersVisit)
file = HtmlPage("/forms/answers/{signed}/files/{id}", AnswersVisit)


@page.on("GET", transaction=APP)
def get_answers(visit: AnswersVisit) -> Shown:
    """Shows the answers."""
    about, found = open_answers(visit.signed), service.read_responses(visit.signed.invite_id)
    if found is None:
        raise Problem("not_found")
    return functools.partial(_show, visit, about, *found)


def _show(visit: AnswersVisit, about: Row, responses: Row, version: Row) -> Response:
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
def get_file(visit: AnswersVisit) -> Response:
    """Downloads a file; raises 404."""
    link, id = visit.signed, visit.request.matchdict["id"]
    open_answers(link)
    file_id = service.file_of(link.invite_id, int(id)) if id.isdecimal() and len(id) < 19 else None
    if file_id is None:
        raise Problem("not_found")
    return file_response(file_id, functools.partial(slots.hold_download, visit.request, link.organization_id))


def _files(visit: AnswersVisit, answers: Values, row: ShownAnswer) -> list[tuple[str, str]]:
    files = answers.get(row.question["key"], ()) if row.question["type"] == "file" else ()
    return [
        (f"{visit.request.path_info}/files/{file['id']}", words) for file, words in zip(files, row.words, strict=False)
    ]
