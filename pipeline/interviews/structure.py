"""The check of a whole template when it is saved: every violation, each with its exact place.

The names are those of the request body (`pages.0.questions.1`, `questions.3.options.1.value`).
Whatever JSON comes in, the answer is a list of violations and never an exception.
"""

from collections.abc import Mapping

from pipeline.errors import Violation
from pipeline.interviews.appearance import THANK_YOU, check_branding
from pipeline.interviews.checks import Findings, anything, at, boolean, is_absent, listing, members, record, text
from pipeline.interviews.condition_checks import ANYWHERE, Known, check_condition
from pipeline.interviews.field_map import check_field_map
from pipeline.interviews.hints import check_hints
from pipeline.interviews.questions import KEY_LENGTH, KEY_PATTERN, check_question

MAX_BYTES = 256 * 1024
MAX_NESTING = 30
MAX_PAGES = 50
MAX_QUESTIONS = 300
SLUG_LENGTH = 80
SLUG_PATTERN = "[a-z0-9]+(-[a-z0-9]+)*"

PAGE = record(
    {
        "key": text(KEY_LENGTH, KEY_PATTERN),
        "title": text(500),
        "description": text(5000),
        "visible_if": anything,
        "questions": listing(anything, 1, MAX_QUESTIONS),
    },
    ("key", "questions"),
)
TEMPLATE = record(
    {
        "name": anything,
        "slug": anything,
        "pages": listing(PAGE, 1, MAX_PAGES),
        "questions": listing(anything, 1, MAX_QUESTIONS),
        "public_slug": text(SLUG_LENGTH, SLUG_PATTERN),
        "lead_capture_enabled": boolean,
        "branding": anything,
        "thank_you": THANK_YOU,
        "hints": anything,
        "field_map": anything,
    },
    ("pages", "questions"),
)


def check_template(template: object, default_colors: Mapping[str, str] | None = None) -> list[Violation]:
    """Check pages, questions and all that goes with them; [] means the template may be saved.

    `template` is the request body as parsed JSON (`name` and `slug` in it are not looked at), its strings
    NFC-normalised. `default_colors` is the organization's branding, against which colours are read.
    """
    found = Findings()
    too_big = _too_big(template)
    if too_big:
        found.add("", *too_big)
        return found
    TEMPLATE(found, "", template)
    if not isinstance(template, dict):
        return found
    if template.get("lead_capture_enabled") is True and is_absent(template.get("public_slug")):
        found.add("public_slug", "required", "Is required when lead_capture_enabled is true.")
    if not is_absent(template.get("branding")):
        check_branding(found, "branding", template["branding"], default_colors or {})
    known = _check_questions(found, template)
    _check_conditions(found, template, known)
    if not is_absent(template.get("hints")):
        check_hints(found, "hints", template["hints"], known)
    if not is_absent(template.get("field_map")):
        check_field_map(found, "field_map", template["field_map"], known)
    return found


def _too_big(template: object) -> tuple[str, str] | None:
    """Walk the JSON without recursion; (code, message) when it is nested too deep or too large."""
    size, waiting = 0, [(template, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MAX_NESTING:
            return "too_deep", f"Must be nested at most {MAX_NESTING} levels deep."
        if isinstance(value, dict):
            size += sum(_bytes(key) + 2 for key in value)
            waiting.extend((member, depth + 1) for member in value.values())
        elif isinstance(value, list):
            size += len(value)
            waiting.extend((member, depth + 1) for member in value)
        size += _bytes(value)
    if size > MAX_BYTES:
        return "too_large", f"Must be at most {MAX_BYTES // 1024} KiB."
    return None


def _bytes(value: object) -> int:
    """About what a value takes as UTF-8 JSON, its members apart."""
    return len(value.encode("utf-8", "surrogatepass")) + 2 if isinstance(value, str) else 4


def _check_questions(found: Findings, template: dict) -> Known:
    """Check each question by itself and its place on the pages; returns what conditions may speak of."""
    known = Known(set(), {}, {})
    questions = template.get("questions")
    for index, question in enumerate(questions if _fits(questions, MAX_QUESTIONS) else ()):
        place = at("questions", index)
        sound, key = check_question(found, place, question), _key(question)
        if key is None:
            continue
        if key in known.keys:
            found.add(at(place, "key"), "duplicate_key", f'Question "{key[:80]}" is there already.')
        known.keys.add(key)
        if sound:
            known.sound.setdefault(key, question)
    _place_questions(found, template, known)
    for index, question in members(questions) if _fits(template.get("pages"), MAX_PAGES) else ():
        key = _key(question)
        if key is not None and key not in known.positions:
            found.add(at("questions", index), "question_on_no_page", f'Question "{key[:80]}" is on no page.')
    return known


def _place_questions(found: Findings, template: dict, known: Known) -> None:
    """Walk the pages and give every question its position in page order."""
    page_keys: set[str] = set()
    for index, page in members(template.get("pages")):
        place, page_key = at("pages", index), _key(page)
        if page_key in page_keys:
            found.add(at(place, "key"), "duplicate_key", f'Page "{page_key[:80]}" is there already.')
        page_keys.update([page_key] if page_key else [])
        for slot, key in enumerate(page["questions"] if isinstance(page.get("questions"), list) else ()):
            where = at(place, f"questions.{slot}")
            if not isinstance(key, str):
                found.add(where, "wrong_type", "Must be the key of a question.")
            elif key not in known.keys:
                found.add(where, "unknown_question", f'Question "{key[:80]}" is not defined.')
            elif key in known.positions:
                found.add(where, "question_on_two_pages", f'Question "{key[:80]}" is on a page already.')
            else:
                known.positions[key] = len(known.positions)


def _check_conditions(found: Findings, template: dict, known: Known) -> None:
    """Check what pages, questions and options depend on: questions that come earlier."""
    for index, page in members(template.get("pages")):
        keys = page.get("questions") if isinstance(page.get("questions"), list) else []
        positions = [known.positions[key] for key in keys if isinstance(key, str) and key in known.positions]
        # A page stands where its first question stands.
        _check_field(found, at("pages", index), page, "visible_if", known, min(positions, default=ANYWHERE))
    for index, question in members(template.get("questions")):
        place, position = at("questions", index), known.positions.get(_key(question))
        if position is None:
            continue
        for field in ("visible_if", "required_if"):
            _check_field(found, place, question, field, known, position)
        for number, option in members(question.get("options")):
            _check_field(found, at(place, f"options.{number}"), option, "visible_if", known, position)


def _check_field(found: Findings, place: str, holder: dict, field: str, known: Known, position: float) -> None:
    if not is_absent(holder.get(field)):
        check_condition(found, at(place, field), holder[field], known, position)


def _key(holder: object) -> str | None:
    key = holder.get("key") if isinstance(holder, dict) else None
    return key if isinstance(key, str) and key else None


def _fits(value: object, high: int) -> bool:
    return isinstance(value, list) and len(value) <= high
