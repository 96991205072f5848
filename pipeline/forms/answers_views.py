"""The page that a rep's email opens: the answers of one interview, read-only, and the files among them."""

import functools

from pyramid.response import Response

from pipeline.errors import Problem
from pipeline.files import file_response
from pipeline.forms import answers_page
from pipeline.forms.answers_page import AnswersVisit
from pipeline.forms.service import opened_answers
from pipeline.forms.visit import page_of
from pipeline.http import limits, slots
from pipeline.http.signed_links import AnswerLink, read_answers
from pipeline.interviews import service

answers_view = page_of(AnswersVisit)


@answers_view
def get_answers(visit: AnswersVisit) -> Response:
    """What the prospect has answered."""
    link = _link(visit)
    with opened_answers(visit.request, link) as about:
        found = service.read_responses(link.invite_id)
    if found is None:
        raise Problem("not_found")
    return answers_page.show(visit, link, about, *found)


@answers_view
def get_file(visit: AnswersVisit) -> Response:
    """One of the files among the answers, as a download."""
    link, id = _link(visit), visit.request.matchdict["id"]
    with opened_answers(visit.request, link):
        file_id = service.file_of(link.invite_id, int(id)) if id.isdecimal() and len(id) < 19 else None
        if file_id is None:
            raise Problem("not_found")
        held = functools.partial(slots.hold_download, visit.request, link.organization_id)
        return file_response(file_id, held)


def _link(visit: AnswersVisit) -> AnswerLink:
    limits.spend(visit.request, limits.FORM_ADDRESS)
    return read_answers(visit.request.registry.pipeline, visit.request.matchdict["signed"])
