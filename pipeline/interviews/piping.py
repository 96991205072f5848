"""Tags in texts: `{{key}}` or `{{key|fallback}}` stands for the answer to an earlier question."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.interviews.condition_checks import ANYWHERE, KnownQuestions, check_key
from pipeline.interviews.questions import CHOICES, TEXT_LENGTHS
from pipeline.validation import Values, Violations
from pipeline.validation.violations import step

# Fallbacks hold no Markdown mark.
TAG = re.compile(r"\{\{ *([a-z][a-z0-9_]*) *(?:\|([^{}|*\[\]\\\n]*))?\}\}")
BRACES = re.compile(r"\{\{|\}\}")
IN_TARGET = re.compile(r"\]\([^)]*\{\{")
MOST_TAGS, LONGEST_FALLBACK = 200, 100
# Types with an answer of a few words.
PIPED = (*TEXT_LENGTHS, *CHOICES, "number", "date", "scale", "yes_no")
PAGE_TEXTS, QUESTION_TEXTS, THANK_YOU_TEXTS = ("title", "description"), ("label", "help"), ("title", "body")
LISTED = ("options", "rows", "columns")
# Texts without tags.
FIXED = ("placeholder", "unit", "min_label", "max_label")


class Slot(NamedTuple):
    """A text and its position; None allows no tags."""

    place: str
    name: str
    text: str
    before: float | None


def check_pipes(violations: Violations, template: Values, known: KnownQuestions) -> None:
    """Adds the violations of tags."""
    slots = list(_slots(template, known))
    _check_all(violations, slots, known)
    by_name = {slot.name: slot for slot in slots}
    for language, texts in template.get("translations", {}).items():
        where = f"translations.{step(language)}"
        own = ((by_name.get(name), name, text) for name, text in (texts or {}).items() if text)
        translated = (
            slot._replace(place=f"{where}.{step(name)}", text=text) for slot, name, text in own if slot is not None
        )
        _check_all(violations, translated, known)


def _check_all(violations: Violations, slots: Iterator[Slot] | list[Slot], known: KnownQuestions) -> None:
    count = 0
    for slot in slots:
        count += len(TAG.findall(slot.text))
        if count > MOST_TAGS:
            violations.add(slot.place, "too_long", most=MOST_TAGS, of="tags")
            return
        _check_text(violations, slot, known)


def _check_text(violations: Violations, slot: Slot, known: KnownQuestions) -> None:
    place, text = slot.place, slot.text
    if BRACES.search(text) is None:
        return
    found = list(TAG.finditer(text))
    if slot.before is None or IN_TARGET.search(text):
        if found:
            reason = "A tag cannot be part of this text." if slot.before is None else "A link's address takes no tag."
            violations.add(place, "misplaced_tag", reason)
        return
    if BRACES.search(TAG.sub("", text)) or not all(map(_is_sound, found)):
        reason = f"Tags are {{{{key}}}} or {{{{key|fallback}}}}; a fallback has at most {LONGEST_FALLBACK} characters."
        violations.add(place, "malformed_tag", reason)
    for tag in found:
        key = tag[1]
        if not check_key(violations, place, key, known):
            continue
        if known.positions.get(key, -1) >= slot.before:
            violations.add(place, "not_earlier_question", key=key[:80])
        elif known.sound[key]["type"] not in PIPED:
            kind = known.sound[key]["type"]
            violations.add(place, "wrong_question_type", f"An answer of type {kind} cannot be part of a text.")


def _is_sound(tag: re.Match[str]) -> bool:
    return tag[2] is None or 0 < len(tag[2].strip()) <= LONGEST_FALLBACK


def _slots(template: Values, known: KnownQuestions) -> Iterator[Slot]:
    if template.get("name"):
        yield Slot("name", "name", template["name"], None)
    for index, page in enumerate(template.get("pages", ())):
        positions = [known.positions[key] for key in (page or {}).get("questions", ()) if key in known.positions]
        yield from _fields(page, PAGE_TEXTS, "pages", index, min(positions, default=ANYWHERE))
    for index, question in enumerate(template.get("questions", ())):
        yield from _question(question or {}, index, known)
    for field in THANK_YOU_TEXTS:
        if template.get("thank_you", {}).get(field):
            place = f"thank_you.{field}"
            yield Slot(place, place, template["thank_you"][field], ANYWHERE)


def _question(question: Values, index: int, known: KnownQuestions) -> Iterator[Slot]:
    position = known.positions.get(question.get("key") or "", ANYWHERE)
    # A consent holds for one fixed text.
    before = None if question.get("type") == "consent" else position
    yield from _fields(question, QUESTION_TEXTS, "questions", index, before)
    yield from _fields(question, FIXED, "questions", index, None)
    for field in LISTED:
        for slot, item in enumerate(question.get(field, ())):
            if item and item.get("label"):
                name = f"questions.{question.get('key')}.{field}.{item.get('value')}"
                yield Slot(f"questions.{index}.{field}.{slot}.label", name, item["label"], position)


def _fields(
    part: Values | None, fields: tuple[str, ...], kind: str, index: int, before: float | None
) -> Iterator[Slot]:
    for field in fields:
        if part and part.get(field):
            yield Slot(f"{kind}.{index}.{field}", f"{kind}.{part.get('key')}.{field}", part[field], before)
