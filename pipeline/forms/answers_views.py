"""The rep's page of answers, opened by a signed link."""

import datetime
import functools

from pyramid.response import Response

from pipeline.files import file_response
from pipeline.forms.account_pages import AccountVisit
from pipeline.forms.responses_table import Row, template_values
from pipeline.forms.service import opened_answers
from pipeline.forms.visit import STATES, page_of
from pipeline.forms.work import hold_page
from pipeline.http.callers.signed_links import AnswerLink, read_answers
from pipeline.http.quotas import limits, slots
from pipeline.interviews import service
from pipeline.interviews.translations import translated
from pipeline.validation import Values
from pipeline.validation.errors import Problem


class AnswersVisit(AccountVisit):
    """A request by a signed link."""

    states = {**STATES, "link_expired": "answers_expired"}


answers_view = page_of(AnswersVisit)


@answers_view
def get_answers(visit: AnswersVisit) -> Response:
    """Shows the answers."""
    link = _link(visit)
    with opened_answers(visit.request, link) as about:
        found = service.read_responses(link.invite_id)
    if found is None:
        raise Problem("not_found")
    responses, version = found
    t = visit.speak(about)
    version = translated(version, [t.language])
    hold_page(visit.request, link.organization_id, version, version["id"], "answers", version["questions"])
    until = datetime.datetime.fromtimestamp(link.expires, datetime.UTC).isoformat()
    return visit.render(
        "answers.html",
        **template_values(about, responses, version, t),
        files=functools.partial(_files, visit, responses["answers"]),
        until=t.timestamp(until, about["time_zone"]),
    )


@answers_view
def get_file(visit: AnswersVisit) -> Response:
    """Downloads a file; raises 404."""
    link, id = _link(visit), visit.request.matchdict["id"]
    with opened_answers(visit.request, link):
        file_id = service.file_of(link.invite_id, int(id)) if id.isdecimal() and len(id) < 19 else None
        if file_id is None:
            raise Problem("not_found")
        held = functools.partial(slots.hold_download, visit.request, link.organization_id)
        return file_response(file_id, held)


def _link(visit: AnswersVisit) -> AnswerLink:
    limits.count_request(visit.request, limits.FORM_ADDRESS)
    return read_answers(visit.request.registry.pipeline, visit.request.matchdict["signed"])


def _files(visit: AnswersVisit, answers: Values, row: Row) -> list[tuple[str, str]]:
    files = answers.get(row.question["key"], ()) if row.question["type"] == "file" else ()
    return [
        (f"{visit.request.path_info}/files/{file['id']}", words) for file, words in zip(files, row.words, strict=False)
    ]
