"""Marks the tags and directives of a Word file, although Word splits them over runs.

Marks are temporary elements and attributes with numbers. Reading and filling mark alike, so that a number means the
same place in both.
"""

import copy
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from lxml import etree

from .package import Package, W

# Without a namespace, so that a filled file declares no other ones than the author's.
OWN = "pipeline-"
# A scope holds blocks or rows; a number is of a tag's text or of a scope, and WHOLE of a paragraph that is a tag.
SCOPE, NUMBER, WHOLE, IFS, KIND, EXPRESSION, PART = (
    f"{OWN}{name}" for name in ("scope", "n", "whole", "ifs", "kind", "expression", "part")
)
# Of a note's number.
RAISED = f"{OWN}raised"
P, R, T, TBL, TR, TC = (f"{W}{name}" for name in ("p", "r", "t", "tbl", "tr", "tc"))
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
BOX, CONTENT = f"{W}txbxContent", f"{W}sdtContent"
# Signs of a paragraph that are no text of their own.
SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "\u2011", f"{W}softHyphen": "\u00ad"}
BOOKMARKS = (f"{W}bookmarkStart", f"{W}bookmarkEnd")
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
BRACES = re.compile(r"\{\{([^{}]*)\}\}")
# With the marks of direction that keyboards write.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_DIRECTIVE = re.compile(
    r"\s*(?:#\s*(?P<open>if|each|clause)\s+(?P<argument>.*?)|/\s*(?P<close>if|each)|(?P<else>else))\s*", re.S
)
MALFORMED, MISPLACED = "malformed_condition", "misplaced_repeat"
EXCERPT = 80


class Directive(NamedTuple):
    """`kind` is if, each, clause, else, /if or /each."""

    kind: str
    argument: str
    written: str


class Wrong(NamedTuple):
    """A directive that cannot be kept; `where` is the text around it."""

    code: str
    where: str
    message: str


class Found(NamedTuple):
    """Braces at `text[start:end]` of a paragraph; a tag without a directive."""

    start: int
    end: int
    directive: Directive | None


class Inline(NamedTuple):
    """A condition inside a paragraph."""

    number: str
    kind: str
    expression: str


def mark(package: Package) -> list[Wrong]:
    """Marks all parts with text; returns what is wrong."""
    marker = _Marker()
    for name in package.stories():
        marker.story(package.tree(name))
    return marker.wrong


def is_marked(root: etree._Element) -> bool:
    return any(True for element in root.iter() if isinstance(element.tag, str) and _has_mark(element))


def _has_mark(element: etree._Element) -> bool:
    return element.tag == SCOPE or any(name.startswith(OWN) for name in element.attrib)


def pieces(paragraph: etree._Element) -> Iterator[etree._Element]:
    """The texts and signs of a paragraph in order, without those of text boxes in it."""
    for child in paragraph:
        if child.tag == T or child.tag in SIGNS:
            yield child
        elif isinstance(child.tag, str) and child.tag not in (BOX, FALLBACK, P, f"{W}rPr", f"{W}pPr"):
            yield from pieces(child)


def boxes(paragraph: etree._Element) -> Iterator[etree._Element]:
    """The contents of the text boxes of a paragraph, without the copies for old programs."""
    for child in paragraph:
        if child.tag == BOX:
            yield child
        elif isinstance(child.tag, str) and child.tag != FALLBACK:
            yield from boxes(child)


def follow_copies(story: etree._Element) -> None:
    """Gives the copies of text boxes for old programs the same text."""
    for copied in list(story.iter(FALLBACK)):
        choice = copied.getprevious()
        pairs = zip(choice.iter(BOX) if choice is not None else (), list(copied.iter(BOX)), strict=False)
        for box, other in pairs:
            other[:] = copy.deepcopy(list(box))


def text_of(paragraph: etree._Element) -> str:
    return "".join(piece.text or "" if piece.tag == T else SIGNS[piece.tag] for piece in pieces(paragraph))


def find(text: str) -> list[Found]:
    return [Found(one.start(), one.end(), _directive(one)) for one in BRACES.finditer(text)]


def _directive(braces: re.Match[str]) -> Directive | None:
    found = _DIRECTIVE.fullmatch(_INVISIBLE.sub("", braces[1]))
    if found is None:
        return None
    if found["open"]:
        return Directive(found["open"], found["argument"], braces[0])
    return Directive(f"/{found['close']}" if found["close"] else "else", "", braces[0])


class _Marker:
    def __init__(self) -> None:
        self.numbers = count(1)
        self.wrong: list[Wrong] = []

    def story(self, container: etree._Element) -> None:
        """Marks the blocks of a container: a body, cell, note, header, text box or content control."""
        self._wrap(container, _paragraph_directive)
        for holder in [container, *container.iter(SCOPE)]:
            for block in list(holder):
                self._block(block)

    def _block(self, block: etree._Element) -> None:
        if block.tag == P:
            self._paragraph(block)
            for box in boxes(block):
                self.story(box)
        elif block.tag == TBL:
            self._table(block)
        elif block.tag != SCOPE and isinstance(block.tag, str):
            # A content control, note, or other group of blocks.
            if block.find(P) is not None or block.find(TBL) is not None:
                self.story(block)
            else:
                for child in block:
                    self._block(child)

    def _table(self, table: etree._Element) -> None:
        self._wrap(table, _row_directive)
        # A list: tables in a row lose rows meanwhile.
        for row in [one for one in table.iter(TR) if next(one.iterancestors(TBL)) is table]:
            self._row(row)

    def _row(self, row: etree._Element) -> None:
        """Wraps a row whose cells hold the start and end of a repeat or condition."""
        paragraphs = [one for one in row.iter(P) if next(one.iterancestors(TR)) is row and not _in_copy(one)]
        outer = row
        while opened := self._opened_beyond(paragraphs):
            outer = self._around_row(outer, *opened)
        for cell in [one for one in row.iter(TC) if next(one.iterancestors(TR)) is row]:
            self.story(cell)

    def _opened_beyond(
        self, paragraphs: list[etree._Element]
    ) -> tuple[etree._Element, Found, etree._Element, Found] | None:
        """The first directive that opens in one cell and ends in another, or that holds a row's only paragraph."""
        stack: list[tuple[etree._Element, Found]] = []
        whole = [one for one in paragraphs if text_of(one).strip()]
        for paragraph in paragraphs:
            for found in find(text_of(paragraph)):
                kind = found.directive.kind if found.directive else ""
                if kind in ("if", "each"):
                    stack.append((paragraph, found))
                elif kind.startswith("/") and stack:
                    start, opening = stack.pop()
                    if opening.directive is None or kind[1:] != opening.directive.kind:
                        return None
                    apart = next(start.iterancestors(TC)) is not next(paragraph.iterancestors(TC))
                    around = kind == "/each" and whole == [paragraph] and _surround(paragraph, opening, found)
                    if apart or around:
                        return start, opening, paragraph, found
        return None

    def _around_row(
        self, row: etree._Element, start: etree._Element, opening: Found, end: etree._Element, closing: Found
    ) -> etree._Element:
        """The scope, around a row or an inner scope of it."""
        _cut(end, closing.start, closing.end)
        _cut(start, opening.start, opening.end)
        for paragraph in {start, end}:
            _drop_if_vain(paragraph)
        scope = self._scope(opening.directive)
        row.addprevious(scope)
        scope.append(row)
        return scope

    def _scope(self, directive: Directive | None) -> etree._Element:
        made = etree.Element(SCOPE)
        kind, argument = (directive.kind, directive.argument) if directive else ("else", "")
        made.set(NUMBER, str(next(self.numbers)))
        made.set(KIND, kind)
        made.set(EXPRESSION, argument)
        return made

    def _wrap(self, container: etree._Element, directive_of: Callable[[etree._Element], Directive | None]) -> None:
        """Puts the children between a pair of directives into a scope."""
        opened: list[tuple[etree._Element, Directive, etree._Element]] = []
        for child in list(container):
            directive = directive_of(child)
            if directive is None or directive.kind == "clause":
                if opened:
                    opened[-1][0].append(child)
                continue
            if directive.kind in ("if", "each"):
                scope = self._scope(directive)
                (opened[-1][0].append if opened else child.addprevious)(scope)
                opened.append((scope, directive, child))
            elif not opened or directive.kind not in ("else", f"/{opened[-1][1].kind}"):
                self._refuse(MALFORMED, child, f'"{directive.written}" has no beginning before it at the same level.')
            elif directive.kind == "else":
                self._turn(opened, child)
            else:
                opened.pop()
            self._remove(child)
        for _scope, directive, start in opened:
            end = "{{/" + directive.kind + "}}"
            message = f'"{directive.written}" has no "{end}" after it at the same level, in a paragraph of its own.'
            self._refuse(MALFORMED, start, message)

    def _remove(self, directive: etree._Element) -> None:
        """Removes the paragraph or row of a directive, but for its bookmarks."""
        if directive.find(f"{W}pPr/{W}sectPr") is not None:
            self._refuse(MALFORMED, directive, "The paragraph ends a section; write the directive before or after it.")
        for bookmark in list(directive.iter(*BOOKMARKS)):
            directive.addprevious(bookmark)
        directive.getparent().remove(directive)

    def _turn(self, opened: list[tuple[etree._Element, Directive, etree._Element]], child: etree._Element) -> None:
        """Begins the alternative of a condition."""
        scope, directive, start = opened.pop()
        if directive.kind != "if" or scope.get(KIND) == "else":
            self._refuse(MALFORMED, child, '"{{else}}" can stand once, between "{{#if …}}" and "{{/if}}".')
        other = self._scope(None)
        scope.addnext(other)
        opened.append((other, directive, start))

    def _paragraph(self, paragraph: etree._Element) -> None:
        text = text_of(paragraph)
        found = find(text)
        if not found:
            return
        alone = len(found) == 1 and not (text[: found[0].start] + text[found[0].end :]).strip()
        directive = found[0].directive
        if alone and (directive is None or directive.kind == "clause"):
            part = _isolate(paragraph, found[0].start, found[0].end)
            part.set(NUMBER, str(next(self.numbers)))
            paragraph.set(WHOLE, part.get(NUMBER))
            paragraph.set(KIND, directive.kind if directive else "tag")
            paragraph.set(EXPRESSION, directive.argument if directive else "")
            return
        ranges = self._ranges(paragraph, text, found)
        for one, _inside in reversed(ranges):
            if one.directive is not None:
                _cut(paragraph, one.start, one.end)
        # Offsets after the cuts.
        self._mark_inline(paragraph, ranges)

    def _ranges(
        self, paragraph: etree._Element, text: str, found: list[Found]
    ) -> list[tuple[Found, tuple[Inline, ...]]]:
        """Each of the braces with the conditions around it; a wrong directive is noted."""
        stack: list[Inline] = []
        result = []
        for one in found:
            kind = one.directive.kind if one.directive else ""
            if kind in ("each", "/each"):
                self._refuse(
                    MISPLACED,
                    paragraph,
                    '"{{#each …}}" and "{{/each}}" stand in paragraphs of their own, or in one row.',
                )
            elif kind == "clause":
                self._refuse(
                    "misplaced_clause", paragraph, f'"{text[one.start : one.end]}" must stand alone in a paragraph.'
                )
            elif kind == "if" and one.directive:
                stack.append(Inline(str(next(self.numbers)), "if", one.directive.argument))
            elif kind in ("else", "/if") and not stack:
                self._refuse(
                    MALFORMED,
                    paragraph,
                    f'"{text[one.start : one.end]}" has no "{{{{#if …}}}}" before it in the paragraph.',
                )
            elif kind == "else":
                stack[-1] = Inline(str(next(self.numbers)), "else", "")
            elif kind == "/if":
                stack.pop()
            result.append((one, tuple(stack)))
        if stack:
            self._refuse(MALFORMED, paragraph, 'A "{{#if …}}" has no "{{/if}}" in the paragraph.')
        return result

    def _mark_inline(self, paragraph: etree._Element, ranges: list[tuple[Found, tuple[Inline, ...]]]) -> None:
        removed = 0
        cuts: list[tuple[int, tuple[Inline, ...]]] = [(0, ())]
        tags = []
        for one, inside in ranges:
            start, end = one.start - removed, one.end - removed
            if one.directive is None:
                tags.append((start, end))
            else:
                removed += one.end - one.start
                cuts.append((start, inside))
        for start, end in reversed(tags):
            _isolate(paragraph, start, end)
        if len(cuts) > 1:
            self._mark_conditions(paragraph, cuts)
        for piece in pieces(paragraph):
            if piece.get(PART) == "tag":
                piece.set(NUMBER, str(next(self.numbers)))

    def _mark_conditions(self, paragraph: etree._Element, cuts: list[tuple[int, tuple[Inline, ...]]]) -> None:
        for place, _inside in cuts[1:]:
            _split(paragraph, place)
        offset, cuts = 0, [*cuts]
        inside: tuple[Inline, ...] = ()
        for piece in pieces(paragraph):
            while cuts and cuts[0][0] <= offset:
                inside = cuts.pop(0)[1]
            length = len(piece.text or "") if piece.tag == T else 1
            if inside and length:
                piece.set(IFS, " ".join(one.number for one in inside))
                piece.set(KIND, " ".join(one.kind for one in inside))
                piece.set(EXPRESSION, "\n".join(one.expression for one in inside))
            offset += length

    def _refuse(self, code: str, element: etree._Element, message: str) -> None:
        self.wrong.append(Wrong(code, excerpt(element), message))


def excerpt(element: etree._Element) -> str:
    text = " ".join("".join(map(text_of, [element] if element.tag == P else element.iter(P))).split())
    return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"


def _paragraph_directive(child: etree._Element) -> Directive | None:
    return _only_directive(text_of(child)) if child.tag == P and not any(True for _ in boxes(child)) else None


def _row_directive(child: etree._Element) -> Directive | None:
    if child.tag != TR:
        return None
    return _only_directive("\n".join(text_of(paragraph) for paragraph in child.iter(P)))


def _only_directive(text: str) -> Directive | None:
    found = BRACES.fullmatch(text.strip()) if "{{" in text else None
    return found and _directive(found)


def _in_copy(element: etree._Element) -> bool:
    return next(element.iterancestors(FALLBACK), None) is not None


def _surround(paragraph: etree._Element, opening: Found, closing: Found) -> bool:
    text = text_of(paragraph)
    return not (text[: opening.start] + text[closing.end :]).strip()


def _drop_if_vain(paragraph: etree._Element) -> None:
    """Removes a paragraph that held only a directive, unless it is its cell's only one."""
    parent = paragraph.getparent()
    if parent is not None and not text_of(paragraph).strip() and len(parent.findall(P)) > 1:
        parent.remove(paragraph)


def _split(paragraph: etree._Element, place: int) -> None:
    """Makes a text begin at an offset of the paragraph."""
    offset = 0
    for piece in list(pieces(paragraph)):
        length = len(piece.text or "") if piece.tag == T else 1
        if offset < place < offset + length:
            _part(piece, place - offset)
            return
        offset += length


def _part(piece: etree._Element, place: int) -> etree._Element:
    """Splits a text; returns its second part."""
    text, other = piece.text or "", etree.Element(T)
    for name, value in piece.attrib.items():
        other.set(name, value)
    piece.text, other.text = text[:place], text[place:]
    other.set(PART, "rest")
    piece.addnext(other)
    return other


def _isolate(paragraph: etree._Element, start: int, end: int) -> etree._Element:
    """Puts the characters of a tag into one text of the run where it begins."""
    written, (first, place) = text_of(paragraph)[start:end], _at(paragraph, start)
    _cut(paragraph, start, end)
    _part(first, place)
    made = etree.Element(T)
    made.text = written
    made.set(PART, "tag")
    first.addnext(made)
    return made


def _at(paragraph: etree._Element, start: int) -> tuple[etree._Element, int]:
    """(text, offset in it) of a character of the paragraph."""
    offset = 0
    for piece in pieces(paragraph):
        length = len(piece.text or "") if piece.tag == T else 1
        if offset <= start < offset + length:
            return piece, start - offset
        offset += length
    raise IndexError(start)


def _cut(paragraph: etree._Element, start: int, end: int) -> None:
    """Removes the characters of a range; signs in it go too."""
    offset = 0
    for piece in list(pieces(paragraph)):
        text = piece.text or "" if piece.tag == T else " "
        first, last = max(start - offset, 0), min(end - offset, len(text))
        if first < last:
            if piece.tag == T:
                piece.text = text[:first] + text[last:]
            else:
                piece.getparent().remove(piece)
        offset += len(text)
