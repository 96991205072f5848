"""An invite's answers in words, also as CSV."""

import csv
import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pipeline.api.exports.csv_cells import quote
from pipeline.api.exports.csv_export import header_line
from pipeline.database import queries
from pipeline.forms.page.rendering import Speech
from pipeline.forms.questions.answer_text import in_words
from pipeline.forms.questions.markdown import written
from pipeline.forms.questions.piping import piped
from pipeline.forms.translations import Texts, texts_for
from pipeline.interviews import service
from pipeline.interviews.templates.conditions import visible
from pipeline.interviews.templates.translations import translated
from pipeline.validation import Values


class Row(NamedTuple):
    """A visible question; `given_at`: of a consent, else None."""

    page: Values
    question: Values
    words: list[str]
    given_at: str | None
    tip: str


COLUMNS = ("page", "key", "question", "answer", "given_at", "tip")
PERSON = ("name", "email", "company", "job_title", "phone")


def responses_table(id: int) -> bytes | None:
    """The CSV of an invite's visible answers, or None for an unknown invite."""
    found = read(id)
    if found is None:
        return None
    about, responses, version = found
    locale = about["locale"]
    lines = _cells(about, responses, translated(version, [locale]), texts_for(locale))
    written = io.StringIO(newline="")
    csv.writer(written).writerows([quote(cell) for cell in line] for line in lines)
    return header_line(COLUMNS) + written.getvalue().encode()


def read(id: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]] | None:
    """(printed `form_answers_about` row, answers, version), or None."""
    found = service.read_responses(id)
    about = None if found is None else queries.form_answers_about(id=id, printed=True)
    return None if found is None or about is None else (about, *found)


def rows(
    responses: dict[str, Any], version: dict[str, Any], texts: Texts, marked: Callable[[str], str] = str
) -> Iterator[Row]:
    """Rows in page order. version: from `translated`; marked: see `in_words`."""
    answers, tips = responses["answers"], version["hints"].get("rep_tips", {})
    pages = {key: page for page in version["pages"] for key in page["questions"]}
    given = {consent["question"]: consent["given_at"] for consent in responses["consents"]}
    for question in visible(version, answers, responses["hidden_fields"]).questions:
        key = question["key"]
        if question["type"] != "statement":
            yield Row(
                pages[key], question, in_words(question, answers, texts, marked), given.get(key), tips.get(key, "")
            )


def template_values(
    about: dict[str, Any], responses: dict[str, Any], version: dict[str, Any], texts: Texts
) -> dict[str, Any]:
    """Template values; about: a `form_answers_about` row; responses: of `read_responses`; version: of `translated`."""
    zone, sent_at = about["time_zone"], responses["submitted_at"]
    version = _piped(version, responses, texts)
    speech = Speech(version, texts)
    pages = itertools.groupby(rows(responses, version, texts, speech.marked), key=lambda row: row.page)
    state = {"date": texts.moment(sent_at, zone)} if sent_at else {}
    return {
        "interview": version["name"],
        "heading": texts("answers.title", prospect=about["prospect"] or texts("answers.nobody")),
        "person": person(about),
        "lead": texts(f"answers.{responses['status']}", **state),
        "copy_error": responses["copy_error"],
        "flags": list(flags(responses, version).values()),
        "hidden": responses["hidden_fields"],
        "groups": [(page.get("title") or version["name"], list(found)) for page, found in pages],
        "moment": lambda text: texts.moment(text, zone),
        "speech": speech,
        "label": written(version["id"]).label,
    }


def _piped(version: dict[str, Any], responses: dict[str, Any], texts: Texts) -> dict[str, Any]:
    return piped(version, written(version["id"]).tags_of(version), responses["answers"], texts)


def person(about: dict[str, Any]) -> dict[str, str]:
    """The prospect's known contact fields."""
    return {name: about[name] for name in PERSON if about[name]}


def flags(responses: dict[str, Any], version: dict[str, Any]) -> dict[str, str]:
    """{flag: label} of the raised flags."""
    labels = {flag["flag"]: flag.get("label") for flag in version["hints"].get("rep_flags", ())}
    return {flag: labels.get(flag) or flag for flag in responses["rep_flags"]}


def _cells(
    about: dict[str, Any], responses: dict[str, Any], version: dict[str, Any], texts: Texts
) -> Iterator[tuple[str, ...]]:
    """CSV lines; a consent has the text that was shown."""
    own, version = written(version["id"]), _piped(version, responses, texts)
    agreed = {consent["question"]: own.words(consent["text"]) for consent in responses["consents"]}
    for name, value in person(about).items():
        yield "", f"lead.{name}", texts(f"person.{name}"), value, "", ""
    for page, question, words, given_at, tip in rows(responses, version, texts):
        label = agreed.get(question["key"]) or own.label(question)
        yield page.get("title", ""), question["key"], label, "\n".join(words), given_at or "", tip
    for name, value in responses["hidden_fields"].items():
        yield "", name, name, value, "", ""
    for flag, label in flags(responses, version).items():
        yield "", flag, label, texts("question.yes"), "", ""
