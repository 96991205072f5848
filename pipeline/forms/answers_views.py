"""The page that a rep's email opens: the answers of one interview, read-only, and the files among them."""

import functools

from pipeline.errors import Problem
from pipeline.files import file_response
from pipeline.forms import answers_page
from pipeline.forms.service import opened_answers
from pipeline.forms.visit import page
from pipeline.http import limits, slots
from pipeline.http.answer_links import read_link
from pipeline.interviews import service

answers_view = functools.partial(page, kind=answers_page.AnswersVisit)


@answers_view
def get_answers(visit):
    """What the prospect has answered."""
    link = _link(visit)
    with opened_answers(visit.request, link) as about:
        responses, version = service.read_responses(link.invite_id)
    return answers_page.show(visit, link, about, responses, version)


@answers_view
def get_file(visit):
    """One of the files among the answers, as a download."""
    link, id = _link(visit), visit.request.matchdict["id"]
    with opened_answers(visit.request, link):
        file_id = service.file_of(link.invite_id, int(id)) if id.isdecimal() and len(id) < 19 else None
        if file_id is None:
            raise Problem("not_found")
        held = functools.partial(slots.hold_download, visit.request, link.organization_id)
        return file_response(file_id, held)


def _link(visit):
    limits.spend(visit.request, limits.FORM_ADDRESS)
    return read_link(visit.request.registry.pipeline, visit.request.matchdict["signed"])
