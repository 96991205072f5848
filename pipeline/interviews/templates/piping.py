"""Tags in texts: `{{key}}` or `{{key|fallback}}` stands for the answer to an earlier question."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pipeline.interviews.templates.condition_checks import ANYWHERE, KnownQuestions, check_key
from pipeline.interviews.templates.questions import CHOICES, TEXT_LENGTHS
from pipeline.interviews.templates.translations import FIXED_TEXTS, MESSAGES, TranslatableText, translatable_texts
from pipeline.validation import Values, Violations
from pipeline.validation.violations import step

# Fallbacks hold no Markdown mark.
TAG = re.compile(r"\{\{ *([a-z][a-z0-9_]*) *(?:\|([^{}|*\[\]\\\n]*))?\}\}")
BRACES = re.compile(r"\{\{|\}\}")
IN_TARGET = re.compile(r"\]\([^)]*\{\{")
MOST_TAGS, LONGEST_FALLBACK = 200, 100
# Types with an answer of a few words.
PIPED = (*TEXT_LENGTHS, *CHOICES, "number", "date", "scale", "yes_no")


class PipedText(NamedTuple):
    """A text and its position; None allows no tags."""

    place: str
    path: str
    text: str
    before: float | None


def check_pipes(violations: Violations, template: Values, known: KnownQuestions) -> None:
    """Adds the violations of tags."""
    slots = [
        PipedText(text.place, text.path, text.text, _position(text, known))
        for text in translatable_texts(template)
        if text.field not in MESSAGES
    ]
    _check_all(violations, slots, known)
    by_path = {slot.path: slot for slot in slots}
    for language, texts in template.get("translations", {}).items():
        where = f"translations.{step(language)}"
        own = ((by_path[path], path, text) for path, text in (texts or {}).items() if text and path in by_path)
        translated = (slot._replace(place=f"{where}.{step(path)}", text=text) for slot, path, text in own)
        _check_all(violations, translated, known)


def _check_all(violations: Violations, slots: Iterable[PipedText], known: KnownQuestions) -> None:
    count = 0
    for slot in slots:
        count += len(TAG.findall(slot.text))
        if count > MOST_TAGS:
            violations.add(slot.place, "too_long", most=MOST_TAGS, of="tags")
            return
        _check_text(violations, slot, known)


def _check_text(violations: Violations, slot: PipedText, known: KnownQuestions) -> None:
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


def _position(text: TranslatableText, known: KnownQuestions) -> float | None:
    if not takes_tags(text):
        return None
    kind = text.place.partition(".")[0]
    if kind == "pages":
        return known.first_position(text.part)
    return known.positions.get(text.part.get("key") or "", ANYWHERE) if kind == "questions" else ANYWHERE


def takes_tags(text: TranslatableText) -> bool:
    """Whether a text can hold tags; a consent holds for one fixed text."""
    return text.field not in ("name", *FIXED_TEXTS, *MESSAGES) and text.part.get("type") != "consent"
