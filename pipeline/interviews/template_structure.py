"""Checks a template as a whole.

Invalid parts are None in arrays and absent in objects.
"""

from collections.abc import Iterator
from typing import Any

from pipeline.interviews.answers.defaults import check_default
from pipeline.interviews.templates.condition_checks import KnownQuestions, check_condition
from pipeline.interviews.templates.field_map import check_field_map
from pipeline.interviews.templates.hints import check_hints
from pipeline.interviews.templates.piping import check_pipes
from pipeline.interviews.templates.work import MOST_CONTROLS, controls_on
from pipeline.validation import Values, Violations, refuse

# Fields of the template itself, and non-JSON fields of its versions.
STATE, PLAIN = ("slug", "public_slug", "lead_capture_enabled"), ("name", "language")
MAX_BYTES = 256 * 1024
MAX_NESTING = 30
MAX_FILE_QUESTIONS = 5
CONDITIONS = {"visible_if", "required_if"}
# Query parameters of a form's URL.
RESERVED = ("lang", "r", "step", "more", "return", "asked")


def check_size(template: Any) -> None:
    """Raises Invalid for too large or too deep JSON, without recursion."""
    size, waiting = 0, [(template, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_NESTING:
            refuse("too_deep", most=MAX_NESTING)
        if isinstance(value, dict):
            size += sum(_bytes(key) + 2 for key in value)
            waiting.extend((member, depth + 1) for member in value.values())
        elif isinstance(value, list):
            size += len(value)
            waiting.extend((member, depth + 1) for member in value)
        size += _bytes(value)
    if size > MAX_BYTES:
        refuse("too_large", most=f"{MAX_BYTES // 1024} KiB")


def check_structure(template: Values, violations: Violations) -> None:
    if template.get("lead_capture_enabled") and template.get("public_slug", "") is None:
        violations.add("public_slug", "required", "Is required when lead_capture_enabled is true.")
    known = _check_questions(template, violations)
    _check_hidden(template, violations, known)
    _check_files(template, violations)
    _check_pages(template, violations, known)
    _check_controls(template, violations, known)
    _check_conditions(template, violations, known)
    check_hints(violations, "hints", template.get("hints", {}), known)
    check_field_map(violations, "field_map", template.get("field_map", []), known)
    _check_defaults(template, violations, known)
    check_pipes(violations, template, known)


def _bytes(value: Any) -> int:
    return len(value.encode("utf-8", "surrogatepass")) + 2 if isinstance(value, str) else 4


def _parts(template: dict[str, Any], field: str) -> Iterator[tuple[str, Values]]:
    return ((f"{field}.{index}", part) for index, part in enumerate(template.get(field, ())) if part)


def _check_questions(template: Values, violations: Violations) -> KnownQuestions:
    """Returns KnownQuestions without positions."""
    places = [violation.name.split(".") for violation in violations]
    unsound = {".".join(steps[:2]) for steps in places if not CONDITIONS & {*steps[2:]}}
    hidden = frozenset(filter(None, template.get("hidden_fields", ())))
    known = KnownQuestions(set(), {}, {}, "questions" in template, hidden)
    for place, question in _parts(template, "questions"):
        key = question.get("key")
        if key in known.keys:
            violations.add(f"{place}.key", "duplicate_key", f'Question "{key}" occurs twice.')
        if key is not None:
            known.keys.add(key)
            if place not in unsound:
                known.sound.setdefault(key, question)
    return known


def _check_hidden(template: Values, violations: Violations, known: KnownQuestions) -> None:
    for index, key in enumerate(template.get("hidden_fields", ())):
        if key in known.keys:
            violations.add(f"hidden_fields.{index}", "duplicate_key", f'Question "{key}" occurs twice.')
        elif key in RESERVED:
            violations.add(f"hidden_fields.{index}", "reserved", f'"{key}" has a meaning in links already.')


def _check_files(template: Values, violations: Violations) -> None:
    asking = [place for place, question in _parts(template, "questions") if question.get("type") == "file"]
    for place in asking[MAX_FILE_QUESTIONS:]:
        violations.add(place, "too_long", most=MAX_FILE_QUESTIONS, of="questions for files")


def _check_pages(template: Values, violations: Violations, known: KnownQuestions) -> None:
    page_keys: set[str] = set()
    for place, page in _parts(template, "pages"):
        page_key = page.get("key")
        if page_key in page_keys:
            violations.add(f"{place}.key", "duplicate_key", f'Page "{page_key}" occurs twice.')
        page_keys.update([page_key] if page_key else [])
        for slot, key in enumerate(page.get("questions", ())):
            if key in known.positions:
                violations.add(f"{place}.questions.{slot}", "question_on_two_pages", key=key[:80])
            elif key in known.keys:
                known.positions[key] = len(known.positions)
            elif key is not None and known.whole:
                violations.add(f"{place}.questions.{slot}", "unknown_question", key=key[:80])
    if all(page and None not in page.get("questions", [None]) for page in template.get("pages", [None])):
        for place, question in _parts(template, "questions"):
            if question.get("key", "") and question["key"] not in known.positions:
                violations.add(place, "question_on_no_page", key=question["key"])


def _check_controls(template: Values, violations: Violations, known: KnownQuestions) -> None:
    for place, page in _parts(template, "pages"):
        count = controls_on(known.sound[key] for key in page.get("questions", ()) if key in known.sound)
        if count > MOST_CONTROLS:
            violations.add(f"{place}.questions", "too_many_controls", count=count, most=MOST_CONTROLS)


def _check_defaults(template: Values, violations: Violations, known: KnownQuestions) -> None:
    for place, question in _parts(template, "questions"):
        if "default" in question and known.sound.get(question.get("key") or "") is question:
            check_default(violations, f"{place}.default", question)


def _check_conditions(template: Values, violations: Violations, known: KnownQuestions) -> None:
    for place, page in _parts(template, "pages"):
        if "visible_if" in page:
            check_condition(violations, f"{place}.visible_if", page["visible_if"], known, known.first_position(page))
    for place, question in _parts(template, "questions"):
        position = known.positions.get(question.get("key") or "")
        if position is None:
            continue
        for where, holder in ((place, question), *_parts(question, "options")):
            inner = place if holder is question else f"{place}.{where}"
            for field in CONDITIONS & holder.keys():
                check_condition(violations, f"{inner}.{field}", holder[field], known, position)
