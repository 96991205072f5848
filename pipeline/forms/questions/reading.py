"""Reads form fields as answers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from pipeline.api.uploads import Upload, read_form
from pipeline.forms.questions.numbers import UNSEEN, ascii_digits, grouping_of, is_ambiguous, read_number, units_of
from pipeline.forms.questions.parts import ADDRESS
from pipeline.http.bodies import read_body
from pipeline.http.request import Request
from pipeline.interviews.answers.answers import answer_key, check_shape, narrowed
from pipeline.interviews.templates.conditions import OTHER, OTHER_SUFFIX, Answers
from pipeline.validation import Values, Violation, invalid_field
from pipeline.validation.errors import Problem
from pipeline.validation.types import narrow

FORM = "application/x-www-form-urlencoded"
# Media type and size limit of pages with files.
WITH_FILES, LARGEST = "multipart/form-data", 32 * 1024 * 1024
MAX_FIELDS = 5000
# A web address without its scheme.
_HOST = re.compile(r"[^\s/:@?#]+\.[^\s/:@?#.]{2,}(:[0-9]+)?([/?#]\S*)?")
BOOLEANS = {"yes": True, "no": False}
# (suffix of the control's name, part of the answer) by question type.
PARTS: dict[str, Callable[[Values], Iterable[tuple[int | str, str]]]] = {
    "matrix": lambda question: enumerate(row["value"] for row in question["rows"]),
    "address": lambda question: zip(ADDRESS, ADDRESS, strict=True),
}


class Fields:
    """Form fields in order; names may repeat. `uploads`: files by name."""

    def __init__(self, pairs: list[tuple[str, str]], uploads: dict[str, list[Upload]] | None = None) -> None:
        self.pairs, self.uploads = pairs, uploads or {}

    def all(self, name: str) -> list[str]:
        return [value for field, value in self.pairs if field == name]

    def get(self, name: str, default: str = "") -> str:
        return next(iter(self.all(name)), default)

    def to_retry(self) -> list[tuple[str, str]]:
        """The pairs to send again; lost files lead to their question."""
        if not self.uploads:
            return self.pairs
        return [*(pair for pair in self.pairs if pair[0] != "_go"), ("_go", f"upload:{next(iter(self.uploads))}")]


class TypedAnswers(NamedTuple):
    """`patch` can be saved (None clears); `refused` is invalid input by key."""

    patch: Answers
    refused: Answers
    violations: list[Violation]


def read_fields(request: Request) -> Fields:
    """Reads the Fields of a request; raises 400, 413 or 415."""
    if request.content_type.strip().lower() == WITH_FILES:
        return Fields(*read_form(request, LARGEST))
    if request.content_type.strip().lower() != FORM:
        raise Problem("unsupported_media_type", f"Content-Type must be {FORM}.")
    try:
        body = read_body(request).decode("ascii")
        pairs = parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        raise Problem("malformed_request", "The form cannot be read.") from None
    return Fields(pairs)


def read_answers(questions: Iterable[Values], fields: Fields, language: str = "en") -> TypedAnswers:
    """Reads the questions named in `_asked`, except files."""
    asked = set(fields.all("_asked"))
    typed = TypedAnswers({}, {}, [])
    for question in questions:
        if question["key"] not in asked or question["type"] in ("file", "statement"):
            continue
        given = narrowed([question], dict(_answer(question, fields, language)))
        violations = _unread(question, given, language) or check_shape([question], given)
        bad = {answer_key(violation) for violation in violations}
        typed.violations.extend(violations)
        for key, answer in given.items():
            (typed.refused if key in bad else typed.patch)[key] = answer
    return typed


def answer_keys(question: Values) -> list[str]:
    """A question's answer keys, "other" included."""
    if question["type"] == "statement":
        return []
    return [question["key"], *([question["key"] + OTHER_SUFFIX] if question.get("allow_other") is True else [])]


def _answer(question: Values, fields: Fields, language: str) -> Iterator[tuple[str, Any]]:
    """Yields (key, answer); unreadable input stays text."""
    key, kind = question["key"], question["type"]
    text = fields.get(key)
    answer: Any
    if kind in PARTS:
        parts = ((part, fields.get(f"{key}.{suffix}")) for suffix, part in PARTS[kind](question))
        answer = {part: value for part, value in parts if value.strip()} or None
    elif kind == "ranking":
        answer = [value for value in fields.all(key) if value] or None
    elif kind == "multi_choice":
        answer = list(dict.fromkeys(fields.all(key))) or None
    elif kind in ("yes_no", "consent"):
        answer = BOOLEANS.get(text, text or None)
    elif kind in ("number", "scale"):
        integer = kind == "scale" or question.get("integer") is True
        number = read_number(text, integer, grouping_of(language), units_of(question.get("unit") or "", language))
        answer = (text if number is None else number) if text.strip() else None
    else:
        # Forms send line ends as CR LF.
        text = text.translate(UNSEEN) if kind in ("email", "phone", "url") else text
        text = ascii_digits(text) if kind in ("phone", "date") else text
        host = narrow(text).strip()
        text = f"https://{host}" if kind == "url" and _HOST.fullmatch(host) else text
        answer = text.replace("\r\n", "\n") if text.strip() else None
    yield key, answer
    if question.get("allow_other"):
        other = fields.get(key + OTHER_SUFFIX).strip() or None
        yield key + OTHER_SUFFIX, other
        if other and answer is None:  # a text beside "other" chooses it
            yield key, [OTHER] if kind == "multi_choice" else OTHER


def _unread(question: Values, given: Mapping[str, Any], language: str) -> list[Violation]:
    if question["type"] in ("number", "scale") and isinstance(text := given[question["key"]], str):
        if question["type"] == "number" and is_ambiguous(text, units_of(question.get("unit") or "", language)):
            return invalid_field(f"answers.{question['key']}", "ambiguous_number").violations
        code = "not_an_integer" if question.get("integer") is True else "not_a_number"
        return invalid_field(f"answers.{question['key']}", code).violations
    return []
