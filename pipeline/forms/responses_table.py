"""An invite's answers as a table for people: the labels that the prospect saw, in the organization's language."""

import csv
import io

from pipeline.database import queries
from pipeline.files.csv_export import header_line
from pipeline.forms import markdown
from pipeline.forms.texts import texts_for
from pipeline.forms.words import in_words
from pipeline.interviews import service
from pipeline.interviews.conditions import visible
from pipeline.leads.csv_format import quote

COLUMNS = ("page", "key", "question", "answer", "given_at", "tip")


def responses_table(id):
    """The CSV (bytes) of an invite's visible answers, with the times of consents, tips and flags; None without one."""
    found = service.read_responses(id)
    if found is None:
        return None
    responses, version = found
    rows = _rows(responses, version, texts_for(queries.organization_get()["locale"]))
    written = io.StringIO(newline="")
    csv.writer(written).writerows([quote(cell) for cell in row] for row in rows)
    return header_line(COLUMNS) + written.getvalue().encode()


def _rows(responses, version, texts):
    """A row for each visible question that can be answered, in page order; then one for each flag."""
    hints, answers = version["hints"], responses["answers"]
    titles = {key: page.get("title", "") for page in version["pages"] for key in page["questions"]}
    given = {consent["question"]: consent["given_at"] for consent in responses["consents"]}
    tips = hints.get("rep_tips", {})
    for question in visible(version["pages"], version["questions"], answers).questions:
        key = question["key"]
        if question["type"] != "statement":
            answer = "\n".join(in_words(question, answers, texts))
            yield titles[key], key, markdown.label(question), answer, given.get(key, ""), tips.get(key, "")
    labels = {flag["flag"]: flag.get("label") for flag in hints.get("rep_flags", ())}
    for flag in responses["rep_flags"]:
        yield "", flag, labels.get(flag) or flag, texts("question.yes"), "", ""
