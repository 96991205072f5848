"""Checks a template."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from lxml import etree

from pipeline.contracts.merge import conditions, placeholders
from pipeline.contracts.merge.catalogue import LINE, PAGE_TAGS, REPEATS, TAGS, Tag, with_own
from pipeline.contracts.merge.clauses import PLACES, wrong_clauses
from pipeline.contracts.merge.runs import Run, runs
from pipeline.contracts.merge.sanitize import cleaned
from pipeline.contracts.merge.source import refused
from pipeline.contracts.merge.tags import WRITTEN, TagMatch, find, suggestion
from pipeline.contracts.merge.targets import Targets
from pipeline.contracts.merge.values.blocks import stands_alone
from pipeline.contracts.merge.values.filters import FILTERS
from pipeline.documents import TooComplex, pictures
from pipeline.documents.subset import CONTRACT, EXPRESSIONS, PICTURE, TEMPLATE, parse
from pipeline.validation import MAX_VIOLATIONS, Violation
from pipeline.validation.types import is_visible
from pipeline.validation.violations import nearest

EXCERPT = 60
CONDITION = 'It compares tags, as in data-if="Quote.total > 100000 and not Deal.platforms has linux".'
ESCAPE = 'Text that is meant as it stands is written <span class="literal">…</span>.'
# (code, message).
Wrong = tuple[str, str]
Tags = Mapping[str, Tag]


def check(
    content: str,
    margins: Mapping[str, str | None],
    source: str = "",
    own: Iterable[Tag] = (),
    clauses: Collection[str] | None = (),
    quoting: bool = False,
    known_pictures: Collection[int] = (),
) -> list[Violation]:
    """At most MAX_VIOLATIONS + 1 violations of content and margins.

    `source` is unsanitized; `own` are the tags of own fields, `clauses` the keys of clauses (None: it is
    a clause), `known_pictures` ids. Positions count paragraphs and visible characters from 1; `quoting` gives the
    paragraph's text instead.
    """
    try:
        body = parse(cleaned(content), TEMPLATE)
    except TooComplex as error:
        return [Violation("content", error.code, str(error))]
    tags = with_own(own)
    found = chain(
        (("content", *wrong) for wrong in refused(source, content)),
        (("content", *wrong) for wrong in _wrong_attributes(body, tags)),
        (("content", *wrong) for wrong in wrong_clauses(body, clauses)),
        (("content", *wrong) for wrong in _wrong_pictures(body, known_pictures)),
        (("content", *wrong) for wrong in _wrong_text(body, Targets(body, content), tags, quoting)),
        (
            (name, f"Character {character}", wrong)
            for name, text in margins.items()
            for character, wrong in _wrong_tags(text or "", None, tags)
        ),
    )
    return [
        Violation(name, code, f"{place}: {message}")
        for name, place, (code, message) in islice(found, MAX_VIOLATIONS + 1)
    ]


def paragraphs(content: str) -> Iterator[tuple[int, str]]:
    """(number from 1, text) of the paragraphs, as in `check`."""
    texts = (run.text for run in runs(parse(content, CONTRACT)) if run.text.strip())
    return enumerate(texts, start=1)


def prints(content: str) -> bool:
    """Whether sanitized HTML has text, a tag, a blank or a clause."""
    body = parse(content, TEMPLATE)
    blank = PLACES(body) or any("blank" in span.get("class", "").split() for span in body.iter("span"))
    return bool(blank) or is_visible("".join(body.itertext()))


def _wrong_text(body: etree._Element, targets: Targets, tags: Tags, quoting: bool) -> Iterator[tuple[str, Wrong]]:
    paragraph = 0
    for run in runs(body):
        paragraph += bool(run.text.strip())
        for character, wrong in chain(_wrong_tags(run.text, run, tags), targets.wrong_references(run)):
            yield f'In "{_excerpt(run.text)}"' if quoting else f"Paragraph {paragraph}, character {character}", wrong


def _excerpt(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= EXCERPT else f"{words[: EXCERPT - 1]}…"


def _wrong_tags(text: str, run: Run | None, tags: Tags) -> Iterator[tuple[int, Wrong]]:
    """(character from 1, violation); `run` is None in a margin."""
    for found in find(text):
        if wrong := _violation(found, text, run, tags):
            yield found.start + 1, wrong
    for foreign in placeholders.find(_without_tags(text)):
        if not foreign.doubtful or placeholders.is_a_tag(foreign.words, tags):
            yield foreign.start + 1, ("malformed_tag", _foreign(foreign, tags))


def _without_tags(text: str) -> str:
    for found in find(text):
        text = f"{text[: found.start]}{' ' * (found.end - found.start)}{text[found.end :]}"
    return text


def _foreign(foreign: placeholders.Found, tags: Tags) -> str:
    near = placeholders.closest(foreign.words, tags)
    meant = f' Did you mean "{{{{{near}}}}}"?' if near else ""
    return f'"{foreign.text}" is a placeholder of another kind.{meant} {WRITTEN} {ESCAPE}'


def _violation(found: TagMatch, text: str, run: Run | None, tags: Tags) -> Wrong | None:
    if found.name is None:
        return "malformed_tag", _malformed(found, text)
    if found.name in PAGE_TAGS:
        if run is not None:
            return "misplaced_tag", f'"{found.name}" can stand in headers and footers only.'
        return ("filter_misfit", f'"{found.name}" takes no filter.') if found.filters else None
    if found.name not in tags:
        near = suggestion(found.name, tags.values(), run is None)
        return "unknown_tag", f'"{found.name[:EXCERPT]}" is not a tag.{near}'
    tag = tags[found.name]
    return _misplaced(found, tag, run) or _filter_violation(found, tag.kind)


def _malformed(found: TagMatch, text: str) -> str:
    closed = found.end > found.start + len("{{")
    end = min(found.end, found.start + EXCERPT) if closed else found.start + EXCERPT
    excerpt = " ".join(text[found.start : end].split())
    if text[found.start] == "}":
        return f'Here is a "}}}}" without "{{{{" before it in the same paragraph, near "{excerpt}".'
    reason = "is no tag" if closed else 'has no "}}" of its own in the same paragraph'
    return f'"{excerpt}" {reason}. {WRITTEN}'


def _misplaced(found: TagMatch, tag: Tag, run: Run | None) -> Wrong | None:
    message = None
    if tag.entity == LINE:
        message = _outside(tag.field, None if run is None or run.scope is None else run.scope.get("data-each"))
    elif tag.kind == "lines":
        message = f'"{found.name}" is repeated with data-each="{found.name}", or printed whole by Quote.lines_table.'
    elif tag.kind == "block" and (run is None or not stands_alone(run, found.start, found.end)):
        message = f'"{found.name}" must stand alone in a paragraph.'
    return ("misplaced_tag", message) if message else None


def _outside(field: str, scope: str | None) -> str | None:
    if scope is None:
        return f'"{LINE}.{field}" can stand only inside an element with data-each="Quote.lines".'
    if scope in REPEATS and field not in REPEATS[scope]:
        return f'The items of {scope} have no "{field}", only "{LINE}.name" and "{LINE}.position".'
    return None


def _filter_violation(found: TagMatch, kind: str) -> Wrong | None:
    for name, argument in found.filters:
        if name not in FILTERS:
            return "unknown_filter", f'"{name[:EXCERPT]}" is not a filter.{nearest(name, list(FILTERS))}'
        if kind not in FILTERS[name].kinds:
            return "filter_misfit", f'Filter "{name}" does not fit "{found.name}" here, which is of type {kind}.'
        if not FILTERS[name].argument(argument):
            given = "without an argument" if argument is None else f'with "{argument[:EXCERPT]}"'
            return "invalid_filter_argument", f'Filter "{name}" cannot be used {given}. {FILTERS[name].usage}'
        kind = kind if name in ("default", "plus") else "text"
    return None


def _wrong_attributes(body: etree._Element, tags: Tags) -> Iterator[tuple[str, Wrong]]:
    scopes: list[str] = []
    for event, element in etree.iterwalk(body, events=("start", "end")):
        each, condition, alternative = (element.get(name) for name in EXPRESSIONS)
        if event == "end":
            if each is not None:
                scopes.pop()
            continue
        if each is not None:
            if wrong := _wrong_repeat(each, scopes):
                yield f'data-each="{each}"', wrong
            scopes.append(each)
        if condition is not None:
            for wrong in _wrong_condition(condition, scopes, tags):
                yield f'data-if="{condition}"', wrong
        if alternative is not None and (wrong := _wrong_alternative(element)):
            yield "data-else", wrong


def _wrong_pictures(body: etree._Element, known: Collection[int]) -> Iterator[tuple[str, Wrong]]:
    images = pictures.NAMED(body)
    for image in images:
        id = image.get(PICTURE)
        if not id.isdecimal() or int(id) not in known:
            yield f'{PICTURE}="{id}"', ("unknown_reference", "There is no such picture.")
        elif image.get("alt") is None:
            told = 'Say in alt what the picture shows, or alt="" for an ornament.'
            yield f'{PICTURE}="{id}"', ("required", told)
    if len({image.get(PICTURE) for image in images}) > pictures.MOST:
        yield PICTURE, ("too_large", f"There are more than {pictures.MOST} different pictures.")


def _wrong_repeat(name: str, scopes: Collection[str]) -> Wrong | None:
    if name not in TAGS:
        return "unknown_tag", f'"{name}" is not a tag.{nearest(name, list(REPEATS))}'
    if name not in REPEATS:
        return "not_a_list", f"Can repeat only {', '.join(REPEATS)}."
    return ("misplaced_repeat", "Repeated elements cannot stand inside one another.") if scopes else None


def _wrong_condition(text: str, scopes: Sequence[str], tags: Tags) -> Iterator[Wrong]:
    try:
        condition = conditions.read(text)
    except conditions.Malformed as error:
        yield "malformed_condition", f"The condition {error}. {CONDITION}"
        return
    scope = scopes[-1] if scopes else None
    for term in conditions.terms(condition):
        tag = tags.get(term.tag)
        if tag is None:
            yield "unknown_tag", f'"{term.tag[:EXCERPT]}" is not a tag.{suggestion(term.tag, tags.values())}'
        elif tag.entity == LINE and (message := _outside(tag.field, scope)):
            yield "misplaced_tag", message
        elif reason := conditions.misfit(term, tag.kind):
            yield "condition_misfit", reason


def _wrong_alternative(element: etree._Element) -> Wrong | None:
    before = element.getprevious()
    if before is None or "data-if" not in before.attrib or is_visible(before.tail or ""):
        return "malformed_condition", "Must directly follow an element with a data-if."
    if (
        element.get("data-else") != "else"
        or {"data-if", "data-each"} & set(element.keys())
        or "data-each" in before.attrib
    ):
        return "malformed_condition", "Takes no value, and stands with no data-if or data-each on the same element."
    return None
