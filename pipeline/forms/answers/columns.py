"""The columns and cells of a template's responses, a row for each response."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.forms.answers.table import PERSON, flags
from pipeline.forms.questions.answer_text import in_words
from pipeline.forms.questions.markdown import written
from pipeline.forms.translations import Texts
from pipeline.interviews.answers.answers import final
from pipeline.interviews.templates.conditions import OTHER_SUFFIX, visible
from pipeline.interviews.templates.hints import rep_flags
from pipeline.validation import Values

# A text, a number, or None.
Cell = Any
ABOUT = ("id", "version", "status", "created_at", "started_at", "submitted_at", "language")
LEAD = {"lead.id": "lead_id", **{f"lead.{name}": name for name in PERSON}}
ADDRESS = ("street", "city", "region", "postal_code", "country")
SEPARATOR = "; "
# Numbers stay numbers for calculations.
NUMBERS = ("number", "scale")


def header(versions: Iterable[Values], labels: bool) -> dict[str, str]:
    """{column: title} of versions, the newest first; `labels`: titles are the questions' texts, else the columns."""
    questions: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for version in versions:
        for column, title in _columns(version, labels):
            questions.setdefault(column, title if labels else column)
        hidden |= {f"hidden.{name}": f"hidden.{name}" for name in version["hidden_fields"]}
    return {name: name for name in (*ABOUT, *LEAD)} | questions | hidden | {"flags": "flags"}


def _columns(version: Values, labels: bool) -> Iterator[tuple[str, str]]:
    own, by_key = written(version["id"]), {question["key"]: question for question in version["questions"]}
    for question in (by_key[key] for page in version["pages"] for key in page["questions"]):
        key, label = question["key"], own.label(question)
        if question["type"] == "matrix":
            yield from ((f"{key}.{row['value']}", f"{label}: {row['label']}") for row in question["rows"])
        elif question["type"] == "address" and not labels:
            yield from ((f"{key}.{part}", "") for part in ADDRESS)
        elif question["type"] != "statement":
            yield key, f"{label} ({question['unit']})" if question.get("unit") else label
        if question["type"] == "consent":
            yield f"{key}.given_at", f"{label} (given_at)"
        if question.get("allow_other") and not labels:
            yield key + OTHER_SUFFIX, ""


def row(response: Values, version: Values, labels: Texts | None) -> dict[str, Cell]:
    """{column: cell} of a `form_responses` row. labels: writes words; None writes the stored values."""
    seen = visible(version, final(response["answers"]), response["hidden_fields"])
    cells: dict[str, Cell] = {name: response[name] for name in ABOUT}
    cells |= {column: response[name] for column, name in LEAD.items()}
    for question in seen.questions:
        cells |= _cells(question, seen.answers, labels)
        if question["type"] == "consent" and seen.answers.get(question["key"]) is True:
            cells[f"{question['key']}.given_at"] = response["consents"].get(question["key"], {}).get("given_at")
    cells |= {f"hidden.{name}": value for name, value in response["hidden_fields"].items()}
    raised = response["rep_flags"]
    raised = rep_flags(version["hints"], seen.counting) if raised is None else raised
    named = flags({"rep_flags": raised}, version).values() if labels else raised
    return {**cells, "flags": SEPARATOR.join(named)}


def _cells(question: Values, answers: Mapping[str, Any], labels: Texts | None) -> dict[str, Cell]:
    key, kind, answer = question["key"], question["type"], answers.get(question["key"])
    if answer is None or kind in NUMBERS:
        return {key: answer}
    if kind == "matrix":
        words = {column["value"]: column["label"] for column in question["columns"]} if labels else {}
        return {f"{key}.{place}": words.get(value, value) for place, value in answer.items()}
    if labels:
        return {key: answer if kind == "date" else SEPARATOR.join(in_words(question, answers, labels))}
    if kind == "address":
        return {f"{key}.{part}": answer.get(part) for part in ADDRESS}
    return {key: _stored(answer), key + OTHER_SUFFIX: answers.get(key + OTHER_SUFFIX)}


def _stored(answer: Any) -> Cell:
    if isinstance(answer, bool):
        return "true" if answer else "false"
    if isinstance(answer, list):
        return SEPARATOR.join(item["filename"] if isinstance(item, dict) else item for item in answer)
    return answer
