"""What a rep reads of an interview: who answered, what to notice, and each answer in words with its tip."""

import datetime
import itertools

from pipeline.forms.account_pages import AccountVisit
from pipeline.forms.responses_table import flags, rows
from pipeline.forms.visit import STATES
from pipeline.forms.words import size_of

PERSON = ("name", "email", "company", "job_title", "phone")


class AnswersVisit(AccountVisit):
    """A request by a rep's link. As on the pages of accounts there is no script, and the organization's language."""

    states = {**STATES, "link_expired": "answers_expired"}


def show(visit, link, about, responses, version):
    """The page of the answers.

    link: the AnswerLink; about: the row of `form_answers_about`; responses, version: as `read_responses` gives them.
    """
    t, zone = visit.speak(about), about["time_zone"]
    pages = itertools.groupby(rows(responses, version, t), key=lambda row: row.page)
    sent_at = responses["submitted_at"]
    until = datetime.datetime.fromtimestamp(link.expires, datetime.UTC).isoformat()
    return visit.render(
        "answers.html",
        about=about,
        person={name: about[name] for name in PERSON if about[name]},
        lead=t("answers.submitted", date=t.moment(sent_at, zone)) if sent_at else t(f"answers.{responses['status']}"),
        flags=flags(responses, version).values(),
        hidden=responses["hidden_fields"],
        groups=[(page.get("title") or about["interview"], list(found)) for page, found in pages],
        files=lambda row: _files(visit, row, responses["answers"]),
        moment=lambda text: t.moment(text, zone),
        until=t.timestamp(until, zone),
    )


def _files(visit, row, answers):
    """[(address, name with size)] of the files that are an answer."""
    if row.question["type"] != "file":
        return []
    here = visit.request.path_info
    return [
        (f"{here}/files/{file['id']}", f"{file['filename']} ({size_of(file, visit.texts)})")
        for file in answers.get(row.question["key"], ())
    ]
