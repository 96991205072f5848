"""A template's texts in other languages: where each of them stands, what is checked at save, how a form is shown.

A translation names a text by its place: `name`, `pages.needs.title`, `questions.seats.label`,
`questions.product_line.options.server`, `thank_you.body`. What it lacks is shown as the template has it.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline.interviews.pages import Page, ThankYou
from pipeline.interviews.question_types import QUESTION, Label
from pipeline.validation import Locale, Text, Values, Violations, refuse
from pipeline.validation.violations import step

MAX_LANGUAGES = 20
NAME = Text()
# By what each field of a part is read, whether it must be there, and what stands for one that is not.
Fields = Mapping[str, tuple[Callable[[Any], Any], bool, Any]]
PAGE, LABEL, THANK_YOU = Page().fields, Label().fields, ThankYou().fields
# What a prospect reads of a page, of a question, and of what a question lists.
PAGE_TEXTS, THANK_YOU_TEXTS = ("title", "description"), ("title", "body")
QUESTION_TEXTS = ("label", "help", "placeholder", "unit", "min_label", "max_label")
LISTED = ("options", "rows", "columns")
PARTS = ("name", "pages", "questions", "thank_you")


# The longest text that a prospect may be shown.
TRANSLATION = Text(5000, lines=True)


class Tag(Locale):
    """A locale that names a translation: exactly as it is written."""

    def load(self, given: Any) -> str | None:
        return given if super().load(given) == given else refuse("unknown_locale")


class Untranslated(str):
    """A text of a form that is shown in another language than the template's own, which this text is still in."""


class Place(NamedTuple):
    """Where a text stands: its name for translations, the object that holds it as which field, how it is read."""

    path: str
    holder: dict[str, Any]
    field: str
    load: Callable[[Any], Any]


def places(template: dict[str, Any]) -> Iterator[Place]:
    """The Places of all texts that a prospect reads of a template, as far as it could be read."""
    if "name" in template:
        yield Place("name", template, "name", NAME.load)
    for page in filter(None, template.get("pages", ())):
        yield from _texts(f"pages.{page.get('key')}", page, PAGE_TEXTS, PAGE)
    for question in filter(None, template.get("questions", ())):
        place, form = f"questions.{question.get('key')}", QUESTION.forms.get(question.get("type", ""))
        if form is not None:
            yield from _texts(place, question, QUESTION_TEXTS, form.fields)
        for field in LISTED:
            for item in filter(None, question.get(field, ())):
                if "label" in item:
                    yield Place(f"{place}.{field}.{item.get('value')}", item, "label", LABEL["label"][0])
    yield from _texts("thank_you", template.get("thank_you", {}), THANK_YOU_TEXTS, THANK_YOU)


def _texts(place: str, holder: Values, names: Iterable[str], fields: Fields) -> Iterator[Place]:
    return (Place(f"{place}.{name}", holder, name, fields[name][0]) for name in names if name in holder)


def check_translations(violations: Violations, template: dict[str, Any]) -> None:
    """Check the languages, that every place exists, and each text as the one that it stands for.

    Which place is missing can only be told of a template whose parts are right.
    """
    translations = template.get("translations", {})
    whole = not any(violation.name.partition(".")[0] in PARTS for violation in violations)
    if len(translations) > MAX_LANGUAGES:
        violations.add("translations", "too_long", most=MAX_LANGUAGES, of="languages")
    known = {place.path: place.load for place in places(template)}
    for language, texts in translations.items():
        where = f"translations.{step(language)}"
        violations.check(where, Tag().load, language)
        for path, text in (texts or {}).items():
            if path in known:
                violations.check(f"{where}.{step(path)}", known[path], text)
            elif whole:
                violations.add(f"{where}.{step(path)}", "unknown_text", path=path[:80])


def check_languages(violations: Violations, own: str, languages: Iterable[str]) -> None:
    """Check that the languages of the translations are told apart, and that none is the template's own."""
    seen = {_folded(own)}
    for language in languages:
        if _folded(language) in seen:
            violations.add(f"translations.{step(language)}", "duplicate_key", key=language[:80])
        seen.add(_folded(language))


def languages_of(template: dict[str, Any]) -> list[str]:
    """The languages that a template can be shown in, its own first."""
    return [template["language"], *sorted(template["translations"])]


def chosen(offered: list[str], wanted: Iterable[str | None]) -> str:
    """The first wanted language that is offered, or is another variety of one; else the first that is offered."""
    for tag in filter(None, wanted):
        exact = [one for one in offered if _folded(one) == _folded(tag)]
        near = [one for one in offered if _primary(one) == _primary(tag)]
        if exact or near:
            return (exact or near)[0]
    return offered[0]


def translated(template: dict[str, Any], wanted: Iterable[str | None]) -> dict[str, Any]:
    """A template (or a version of it) in the first wanted language that it has: `language` is the one that it is shown
    in, `languages` are all; the translations themselves are gone. What a translation lacks is Untranslated.
    """
    languages = languages_of(template)
    language = chosen(languages, wanted)
    texts = template["translations"].get(language, {})
    shown = {**template, "language": language, "languages": languages}
    del shown["translations"]
    if language != template["language"]:
        shown |= {part: copy.deepcopy(template[part]) for part in ("pages", "questions", "thank_you")}
        for place in places(shown):
            own = Untranslated(place.holder[place.field])
            place.holder[place.field] = texts.get(place.path, own)
    return shown


def _folded(tag: str) -> str:
    return tag.replace("_", "-").lower()


def _primary(tag: str) -> str:
    return _folded(tag).partition("-")[0]
