"""The check of a template: every tag known and in its place, every filter fit for it; and where it is not."""

from collections.abc import Iterator, Mapping

from lxml import etree

from pipeline.contracts.merge.blocks import stands_alone
from pipeline.contracts.merge.catalogue import LINE, PAGE_TAGS, REPEATS, TAGS
from pipeline.contracts.merge.filters import FILTERS
from pipeline.contracts.merge.runs import Run, runs
from pipeline.contracts.merge.sanitize import cleaned
from pipeline.contracts.merge.tags import Found, find, nearest, suggestion
from pipeline.contracts.merge.targets import Targets
from pipeline.documents import TooComplex
from pipeline.documents.subset import CONTRACT, TEMPLATE, parse
from pipeline.validation import MAX_VIOLATIONS, Violation, Violations
from pipeline.validation.texts import is_visible

EXCERPT = 60


def check(content: str, margins: Mapping[str, str | None]) -> list[Violation]:
    """What is wrong with a template's content and its headers and footers, in that order; at most 200 violations.

    Names are `content` and the keys of `margins`; positions count paragraphs and characters of the visible text,
    from 1.
    """
    violations = Violations()
    try:
        body = parse(cleaned(content), TEMPLATE)
    except TooComplex as error:
        return [Violation("content", error.code, str(error))]
    _check_attributes(violations, body)
    targets = Targets(body, content)
    paragraph = 0
    for run in runs(body):
        paragraph += bool(run.text.strip())
        _check_run(violations, run, paragraph)
        for position, violation in targets.missed(run):
            _note(violations, "content", f"Paragraph {paragraph}, character {position}", *violation)
        if len(violations) >= MAX_VIOLATIONS:
            break
    for name, text in margins.items():
        _check_margin(violations, name, text or "")
    return violations


def paragraphs(content: str) -> Iterator[tuple[int, str]]:
    """(number from 1, text) of the paragraphs of sanitised or resolved HTML, counted as `check` counts them."""
    texts = (run.text for run in runs(parse(content, CONTRACT)) if run.text.strip())
    return enumerate(texts, start=1)


def prints(content: str) -> bool:
    """Whether sanitised HTML says anything: text, a tag, or a blank that is filled in by hand."""
    body = parse(content, TEMPLATE)
    blank = any("blank" in span.get("class", "").split() for span in body.iter("span"))
    return blank or is_visible("".join(body.itertext()))


def _note(violations: Violations, field: str, place: str, code: str, message: str) -> None:
    """Note a violation at a place such as `Paragraph 3, character 17`."""
    violations.add(field, code, f"{place}: {message}")


def _check_run(violations: Violations, run: Run, paragraph: int) -> None:
    text = run.text
    for found in find(text):
        place = f"Paragraph {paragraph}, character {found.start + 1}"
        violation = _violation(found, text, run)
        if violation:
            _note(violations, "content", place, *violation)
        if len(violations) >= MAX_VIOLATIONS:
            return


def _check_margin(violations: Violations, name: str, text: str) -> None:
    for found in find(text):
        violation = _violation(found, text, None)
        if violation:
            _note(violations, name, f"Character {found.start + 1}", *violation)
        if len(violations) >= MAX_VIOLATIONS:
            return


def _violation(found: Found, text: str, run: Run | None) -> tuple[str, str] | None:
    """The code and message of what is wrong with a tag in a run, or in a header or footer (None)."""
    if found.name is None:
        return "malformed_tag", _malformed(found, text)
    if found.name in PAGE_TAGS:
        if run is not None:
            return "misplaced_tag", f'"{found.name}" can stand in headers and footers only.'
        return ("filter_misfit", f'"{found.name}" takes no filter.') if found.filters else None
    if found.name not in TAGS:
        return "unknown_tag", f'"{found.name[:EXCERPT]}" is not a tag.{suggestion(found.name, run is None)}'
    return _misplaced(found, text, run) or _filter_violation(found)


def _malformed(found: Found, text: str) -> str:
    closed = found.end > found.start + len("{{")
    end = min(found.end, found.start + EXCERPT) if closed else found.start + EXCERPT
    excerpt = " ".join(text[found.start : end].split())
    if text[found.start] == "}":
        return f'Here is a "}}}}" without "{{{{" before it in the same paragraph, near "{excerpt}".'
    reason = "is no tag" if closed else 'has no "}}" of its own in the same paragraph'
    return f'"{excerpt}" {reason}. A tag is written {{{{Entity.field}}}} or {{{{Entity.field | filter: "argument"}}}}.'


def _misplaced(found: Found, text: str, run: Run | None) -> tuple[str, str] | None:
    tag, message = found.tag, None
    if tag.entity == LINE:
        message = _outside(tag.field, run)
    elif tag.kind == "lines":
        message = f'"{found.name}" is repeated with data-each="{found.name}", or printed whole by Quote.lines_table.'
    elif tag.kind == "block" and (run is None or not stands_alone(run, found.start, found.end)):
        message = f'"{found.name}" must stand alone in a paragraph.'
    return ("misplaced_tag", message) if message else None


def _outside(field: str, run: Run | None) -> str | None:
    scope = None if run is None or run.scope is None else run.scope.get("data-each")
    if scope is None:
        return f'"{LINE}.{field}" can stand only inside an element with data-each="Quote.lines".'
    if scope in REPEATS and field not in REPEATS[scope]:
        return f'The items of {scope} have no "{field}", only "{LINE}.name".'
    return None


def _filter_violation(found: Found) -> tuple[str, str] | None:
    kind = found.tag.kind
    for name, argument in found.filters:
        if name not in FILTERS:
            return "unknown_filter", f'"{name[:EXCERPT]}" is not a filter.{nearest(name, list(FILTERS))}'
        if kind not in FILTERS[name].kinds:
            return "filter_misfit", f'Filter "{name}" does not fit "{found.name}" here, which is of type {kind}.'
        if not FILTERS[name].argument(argument):
            given = "without an argument" if argument is None else f'with "{argument[:EXCERPT]}"'
            return "invalid_filter_argument", f'Filter "{name}" cannot be used {given}. {FILTERS[name].usage}'
        kind = kind if name == "default" else "text"
    return None


def _check_attributes(violations: Violations, body: etree._Element) -> None:
    repeating = 0
    for event, element in etree.iterwalk(body, events=("start", "end")):
        each, condition = element.get("data-each"), element.get("data-if")
        if event == "end":
            repeating -= each is not None
            continue
        if len(violations) >= MAX_VIOLATIONS:
            return
        if each is not None:
            _check_repeat(violations, each, repeating)
            repeating += 1
        if condition is not None:
            _check_condition(violations, condition, repeating)


def _check_repeat(violations: Violations, name: str, repeating: int) -> None:
    place = f'data-each="{name}"'
    if name not in TAGS:
        _note(violations, "content", place, "unknown_tag", f'"{name}" is not a tag.{nearest(name, list(REPEATS))}')
    elif name not in REPEATS:
        _note(violations, "content", place, "not_a_list", f"Can repeat only {', '.join(REPEATS)}.")
    elif repeating:
        _note(violations, "content", place, "misplaced_repeat", "Repeated elements cannot stand inside one another.")


def _check_condition(violations: Violations, name: str, repeating: int) -> None:
    place = f'data-if="{name}"'
    if name not in TAGS:
        _note(violations, "content", place, "unknown_tag", f'"{name}" is not a tag.{suggestion(name)}')
    elif TAGS[name].entity == LINE and not repeating:
        message = 'Fields of a line can be asked for only inside an element with data-each="Quote.lines".'
        _note(violations, "content", place, "misplaced_tag", message)
