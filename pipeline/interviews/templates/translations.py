"""A template's texts in other languages.

Texts have paths: `name`, `pages.needs.title`, `questions.seats.label`, `questions.product_line.options.server`,
`thank_you.body`.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline.interviews.templates.parts import Page, ThankYou
from pipeline.interviews.templates.question_types import QUESTION, Label
from pipeline.interviews.templates.questions import PatternMessages
from pipeline.validation import Locale, Name, Text, Values, Violations, refuse
from pipeline.validation.violations import step

MAX_LANGUAGES = 20
NAME = Name()
# {field: (load, whether it is required, default)}
Fields = Mapping[str, tuple[Callable[[Any], Any], bool, Any]]
PAGE, LABEL, THANK_YOU = Page().fields, Label().fields, ThankYou().fields
MESSAGES = PatternMessages().fields
PAGE_TEXTS, THANK_YOU_TEXTS = ("title", "description"), ("title", "body")
# The latter take no tags.
QUESTION_TEXTS, FIXED_TEXTS = ("label", "help"), ("placeholder", "unit", "min_label", "max_label")
LISTED = ("options", "rows", "columns")
PARTS = ("name", "pages", "questions", "thank_you")


TRANSLATION = Text(5000, lines=True)


class LanguageTag(Locale):
    """A locale in canonical form."""

    def load(self, given: Any) -> str | None:
        return given if super().load(given) == given else refuse("unknown_locale")


class Untranslated(str):
    """A text in the template's own language."""


class TranslatableText(NamedTuple):
    """A text: place by index, path by key, page or question, container, field, `load` of its type."""

    place: str
    path: str
    part: dict[str, Any]
    holder: dict[str, Any]
    field: str
    load: Callable[[Any], Any]

    @property
    def text(self) -> str:
        return self.holder[self.field] or ""


def translatable_texts(template: dict[str, Any]) -> Iterator[TranslatableText]:
    """Yields the texts of a template; invalid parts are skipped."""
    if "name" in template:
        yield TranslatableText("name", "name", template, template, "name", NAME.load)
    for index, page in enumerate(template.get("pages", ())):
        yield from _texts(f"pages.{index}", f"pages.{(page or {}).get('key')}", page or {}, PAGE_TEXTS, PAGE)
    for index, question in enumerate(template.get("questions", ())):
        yield from _question_texts(question or {}, index)
    yield from _texts("thank_you", "thank_you", template.get("thank_you", {}), THANK_YOU_TEXTS, THANK_YOU)


def _question_texts(question: Values, index: int) -> Iterator[TranslatableText]:
    place, path = f"questions.{index}", f"questions.{question.get('key')}"
    form = QUESTION.forms.get(question.get("type", ""))
    if form is not None:
        yield from _texts(place, path, question, (*QUESTION_TEXTS, *FIXED_TEXTS), form.fields)
        messages = question.get("messages") or {}
        yield from _texts(f"{place}.messages", f"{path}.messages", messages, MESSAGES, MESSAGES)
    for field in LISTED:
        for number, item in enumerate(question.get(field, ())):
            if item and "label" in item:
                own, name = f"{place}.{field}.{number}.label", f"{path}.{field}.{item.get('value')}"
                yield TranslatableText(own, name, question, item, "label", LABEL["label"][0])


def _texts(place: str, path: str, holder: Values, names: Iterable[str], fields: Fields) -> Iterator[TranslatableText]:
    for name in names:
        if name in holder:
            yield TranslatableText(f"{place}.{name}", f"{path}.{name}", holder, holder, name, fields[name][0])


def check_translations(violations: Violations, template: dict[str, Any]) -> None:
    """Checks languages, texts and, for valid templates, paths."""
    translations = template.get("translations", {})
    whole = not any(violation.name.partition(".")[0] in PARTS for violation in violations)
    if len(translations) > MAX_LANGUAGES:
        violations.add("translations", "too_long", most=MAX_LANGUAGES, of="languages")
    known = {text.path: text.load for text in translatable_texts(template)}
    for language, texts in translations.items():
        where = f"translations.{step(language)}"
        violations.check(where, LanguageTag().load, language)
        for path, text in (texts or {}).items():
            if path in known:
                violations.check(f"{where}.{step(path)}", known[path], text)
            elif whole:
                violations.add(f"{where}.{step(path)}", "unknown_text", path=path[:80])


def check_languages(violations: Violations, own: str, languages: Iterable[str]) -> None:
    """Checks that languages are distinct, and not the template's own."""
    seen = {_folded(own)}
    for language in languages:
        if _folded(language) in seen:
            violations.add(f"translations.{step(language)}", "duplicate_key", key=language[:80])
        seen.add(_folded(language))


def languages_of(template: dict[str, Any]) -> list[str]:
    """Returns a template's languages, its own first."""
    return [template["language"], *sorted(template["translations"])]


def chosen(offered: list[str], wanted: Iterable[str | None]) -> str:
    """Returns the first wanted language by full or primary tag, else the first offered."""
    for tag in filter(None, wanted):
        exact = [one for one in offered if _folded(one) == _folded(tag)]
        near = [one for one in offered if _primary(one) == _primary(tag)]
        if exact or near:
            return (exact or near)[0]
    return offered[0]


def translated(template: dict[str, Any], wanted: Iterable[str | None]) -> dict[str, Any]:
    """Returns a template in the best wanted language; adds `languages`, drops `translations`."""
    languages = languages_of(template)
    language = chosen(languages, wanted)
    texts = template["translations"].get(language, {})
    shown = {**template, "language": language, "languages": languages}
    del shown["translations"]
    if language != template["language"]:
        shown |= {part: copy.deepcopy(template[part]) for part in ("pages", "questions", "thank_you")}
        for text in translatable_texts(shown):
            text.holder[text.field] = texts.get(text.path, Untranslated(text.holder[text.field]))
    return shown


def _folded(tag: str) -> str:
    return tag.replace("_", "-").lower()


def _primary(tag: str) -> str:
    return _folded(tag).partition("-")[0]
