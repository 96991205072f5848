"""Compares the author's HTML with its stored form: lost conditions and repeats are refused, others warned of."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from pipeline.contracts.merge import placeholders
from pipeline.contracts.merge.catalogue import TAGS
from pipeline.contracts.merge.runs import runs
from pipeline.contracts.merge.sanitize import read_template
from pipeline.contracts.merge.tags import WRITTEN
from pipeline.documents import styles
from pipeline.documents.markup import RAW, inner_letters, start_tags
from pipeline.documents.pasted import ACCEPTED, PLACEHOLDER
from pipeline.documents.reading import READ_ATTRIBUTES, READ_ELEMENTS, REMOVED, pasted_changes
from pipeline.documents.subset import ATTRIBUTES, CLAUSE, EXPRESSIONS, LINK, PICTURE, expression

DATA = "data-"
COUNTED = (*EXPRESSIONS, CLAUSE)
KNOWN_DATA = (*COUNTED, "data-ref", PICTURE)
# Attributes that an author may take for those of templates; others are private to editors.
MEANT = re.compile("(?:if|else|unless|when|each|for|foreach|repeat|loop|ref|clause|picture|show|hide)(?:-|$)")
LIKENESS = 0.7
# HTML parsers read <<Field>> as an element.
FOREIGN_MARKUP = re.compile(r"<<\s*[^\W\d][^<>{}]{0,60}>>|<%[^<>]{0,200}%?>|<[^\W\d]\w*[._]\w[\w.]{0,60}>")
# A comment with visible text, other than the conditional ones of Word. Each character is read for one comment alone.
COMMENT = re.compile(r"<!--(?!\[if)\s*+[^\s>-](?:(?!<!--)[^>])*-->")
MAX_WARNINGS = 50
EXCERPT = 100


def refused(source: str, content: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """(place, (code, message)) of each meaningful attribute that `content` lacks."""
    prompts = [message for code, message in pasted_changes(source) if code == PLACEHOLDER]
    for found in (*(one[0] for one in FOREIGN_MARKUP.finditer(source)), *prompts):
        near = placeholders.closest(found, TAGS)
        meant = f' Did you mean "{{{{{near}}}}}"?' if near else ""
        yield found, ("malformed_tag", f"A placeholder of another kind.{meant} {WRITTEN}")
    kept = _expressions(content)
    for element, attributes in start_tags(source):
        for name, value in attributes:
            if not name.startswith(DATA) or not _is_meant(name.removeprefix(DATA)):
                continue
            place = f'{name}="{value[:EXCERPT]}"'
            if name not in KNOWN_DATA:
                yield place, ("unknown_attribute", f'"{name}" is unknown; known are {", ".join(KNOWN_DATA)}.')
            elif name in COUNTED:
                kept[name, expression(name, value)] -= 1
                if kept[name, expression(name, value)] < 0:
                    yield place, ("malformed_condition", f"The attribute cannot be kept on this <{element}>.")
    if not pasted_changes(source):  # which may take letters out of an element
        yield from _emptied(source, content)


def _is_meant(name: str) -> bool:
    """Whether an attribute is, or resembles, one of templates."""
    known = [one.removeprefix(DATA) for one in KNOWN_DATA]
    return bool(MEANT.match(name) or difflib.get_close_matches(name[:EXCERPT], known, n=1, cutoff=LIKENESS))


def _emptied(source: str, content: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """The expressions whose element holds less text than as written: HTML ends a paragraph before a block."""
    for (written, letters), (_, stored) in zip(_scopes(source), _scopes(content), strict=False):
        if stored < letters:
            message = "HTML ends this element before its end tag; use <div>, and close every element."
            yield written, ("malformed_condition", message)


def _scopes(source: str) -> list[tuple[str, int]]:
    """(the expression as written, the number of characters inside its element) of each element with one."""
    return [
        (f'{name}="{value[:EXCERPT]}"', letters)
        for attributes, letters in inner_letters(source, EXPRESSIONS, REMOVED)
        for name, value in attributes
        if name in EXPRESSIONS
    ]


def _expressions(content: str) -> Counter[tuple[str, str]]:
    found = (attribute for _, attributes in start_tags(content) for attribute in attributes)
    return Counter((name, expression(name, value)) for name, value in found if name in COUNTED)


def open_revisions(source: str) -> str | None:
    """What is open in a source with revisions that nobody has accepted, or None."""
    found = next((message for code, message in pasted_changes(source) if code == ACCEPTED), None)
    return (
        found and f"The content has open revisions: {found.partition(': ')[2]}. Send revisions=accept to accept them."
    )


def warnings(source: str) -> list[dict[str, str]]:
    """`{code, message}` of each kind of loss, at most 50."""
    found = Counter(_removed(source))
    return [
        {"code": code, "message": f"{message}{f', {number} times' if number > 1 else ''}."}
        for (code, message), number in islice(found.items(), MAX_WARNINGS)
    ]


def _removed(source: str) -> Iterator[tuple[str, str]]:
    if COMMENT.search(source):
        yield "removed_comment", "A comment is removed with its content"
    yield from (change for change in pasted_changes(source) if change.code != PLACEHOLDER)
    for run in runs(read_template(source)):
        for found in placeholders.find(run.text):
            if found.doubtful:
                yield "suspected_placeholder", f'"{found.text}" looks like a placeholder and prints as it is'
    for element, attributes in start_tags(source):
        if element in RAW or element in REMOVED:
            yield "removed_element", f"<{element}> is removed with its content"
        elif element not in READ_ELEMENTS or element == "font":
            yield "removed_element", f"<{element}> is removed, its text stays"
        elif element == "img" and PICTURE not in dict(attributes):
            yield "removed_element", "<img> without data-picture is removed; upload the picture"
            continue
        for name, value in attributes:
            yield from _removed_attribute(element, name, value)


def _removed_attribute(element: str, name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "style":
        for style in styles.unknown(value):
            yield "removed_style", f'The style "{style[:EXCERPT]}" is removed'
    elif name not in READ_ATTRIBUTES or (element in ATTRIBUTES and name not in ATTRIBUTES[element] | _PRESENTATIONAL):
        yield "removed_attribute", f'The attribute "{name[:EXCERPT]}" of <{element}> is removed'
    elif name == "href" and not LINK.fullmatch(value.strip()):
        yield "removed_link", f'The link to "{value[:EXCERPT]}" is removed: links begin with https:// or mailto:'


_PRESENTATIONAL = frozenset(styles.PRESENTATIONAL)
