"""Puts answers in place of a text's tags; tests/forms/pipe_vectors.json also binds the script."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from markupsafe import Markup, escape

from pipeline.forms.questions.answer_text import chosen_labels
from pipeline.forms.translations import Texts
from pipeline.interviews.templates.piping import TAG, takes_tags
from pipeline.interviews.templates.questions import CHOICES
from pipeline.interviews.templates.translations import Untranslated, translatable_texts
from pipeline.validation import Values
from pipeline.validation.dates import as_date
from pipeline.validation.types import isolate_direction

# Characters of an answer: shown, and read.
LONGEST, READ = 100, 1000
# An empty answer without a fallback.
BLANK = "…"
# {index or field: deeper tree}; None for a text with tags.
Tree = dict[str | int, Any]


class Tags(NamedTuple):
    """Where a template has tags, and their question keys in page order."""

    tree: Tree
    keys: list[str]


class Piped(str):
    """A text with answers; `raw` has the tags."""

    raw: str
    said: Mapping[str, str]

    @classmethod
    def of(cls, raw: str, said: Mapping[str, str]) -> Self:
        """said: answers in words by question key."""
        text = cls(_filled(raw, said))
        text.raw, text.said = raw, said
        return text

    @property
    def apart(self) -> str:
        """Plain text with direction isolates."""
        return _filled(self.raw, {key: isolate_direction(words) for key, words in self.said.items()})

    def __html__(self) -> Markup:
        return self.into(escape(self.raw))

    def into(self, html: Markup) -> Markup:
        """Fills in HTML of the raw text; `html` is escaped, and so are its tags."""

        def element(tag: re.Match[str]) -> str:
            words, fallback = self.said.get(tag[1]), _fallback(tag)
            return f'<bdi data-pipe="{tag[1]}" data-else="{fallback}">{escape(words) if words else fallback}</bdi>'

        return Markup(TAG.sub(element, str(html)))


class UntranslatedPiped(Piped, Untranslated):
    """A Piped text in the template's own language."""


def tags_of(template: Values) -> Tags:
    tree: Tree = {}
    found: set[str] = set()
    for text in filter(takes_tags, translatable_texts(template)):
        if tags := TAG.findall(text.text):
            found.update(key for key, _ in tags)
            node = tree
            *above, field = (int(step) if step.isdecimal() else step for step in text.place.split("."))
            for step in above:
                node = node.setdefault(step, {})
            node[field] = None
    return Tags(tree, [key for page in template["pages"] for key in page["questions"] if key in found])


def piped(template: Values, tags: Tags, counting: Mapping[str, Any], texts: Texts) -> Values:
    """The template with visible answers; the same object without tags."""
    if not tags.tree:
        return template
    by_key = {question["key"]: question for question in template["questions"]}
    said: dict[str, str] = {}
    for key in tags.keys:
        said[key] = in_brief(by_key[key], counting, texts, said)
    return {**template, **_filled_copy({part: template[str(part)] for part in tags.tree}, tags.tree, said)}


def _filled_copy(node: Any, tree: Tree | None, said: Mapping[str, str]) -> Any:
    if tree is None:
        return (UntranslatedPiped if isinstance(node, Untranslated) else Piped).of(node, said)
    copy = node.copy()
    for place, below in tree.items():
        copy[place] = _filled_copy(node[place], below, said)
    return copy


def in_brief(question: Values, answers: Mapping[str, Any], texts: Texts, said: Mapping[str, str]) -> str:
    """An answer on one line. said: earlier answers."""
    words = " ".join(_words(question, answers, texts, said)[:READ].split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"


def _words(question: Values, answers: Mapping[str, Any], texts: Texts, said: Mapping[str, str]) -> str:
    answer, kind = answers.get(question["key"]), question["type"]
    if answer is None:
        return ""
    if isinstance(answer, bool):
        return texts("question.yes" if answer else "question.no")
    if kind in CHOICES:
        return texts("list.separator").join(chosen_labels(question, answers, texts, lambda label: _filled(label, said)))
    if kind in ("number", "scale"):
        return texts.number(answer)
    day = as_date(answer) if kind == "date" else None
    return texts.date(day) if day else str(answer)


def _filled(text: str, said: Mapping[str, str]) -> str:
    return TAG.sub(lambda tag: said.get(tag[1]) or _fallback(tag), text)


def _fallback(tag: re.Match[str]) -> str:
    return (tag[2] or "").strip() or BLANK
