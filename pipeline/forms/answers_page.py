"""What a rep reads of an interview: who answered, what to notice, and each answer in words with its tip."""

import datetime
from collections.abc import Mapping
from typing import Any

from pyramid.response import Response

from pipeline.forms.account_pages import AccountVisit
from pipeline.forms.responses_table import Row, told
from pipeline.forms.visit import STATES
from pipeline.forms.words import size_of
from pipeline.http.signed_links import AnswerLink
from pipeline.interviews.translations import translated


class AnswersVisit(AccountVisit):
    """A request by a rep's link. As on the pages of accounts there is no script, and the organization's language."""

    states = {**STATES, "link_expired": "answers_expired"}


def show(
    visit: AnswersVisit, link: AnswerLink, about: dict[str, Any], responses: dict[str, Any], version: dict[str, Any]
) -> Response:
    """The page of the answers.

    link: the AnswerLink; about: the row of `form_answers_about`; responses, version: as `read_responses` gives them.
    """
    t = visit.speak(about)
    until = datetime.datetime.fromtimestamp(link.expires, datetime.UTC).isoformat()
    return visit.render(
        "answers.html",
        **told(about, responses, translated(version, [t.language]), t),
        files=lambda row: _files(visit, row, responses["answers"]),
        until=t.timestamp(until, about["time_zone"]),
    )


def _files(visit: AnswersVisit, row: Row, answers: Mapping[str, Any]) -> list[tuple[str, str]]:
    """[(address, name with size)] of the files that are an answer."""
    if row.question["type"] != "file":
        return []
    here = visit.request.path_info
    return [
        (f"{here}/files/{file['id']}", f"{file['filename']} ({size_of(file, visit.texts)})")
        for file in answers.get(row.question["key"], ())
    ]
