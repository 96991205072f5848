"""Reads an author's Word file: what refuses it, and its text as HTML with merge tags.

`inspect` runs in the process of the inspection (pipeline/files/inspection.py), within its limits, so this module and
those that it needs import nothing else of the service.
"""

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import BinaryIO

from lxml import etree

from . import marks, reach, stripping
from .marks import BOX, EXPRESSION, FALLBACK, IFS, KIND, NUMBER, SCOPE, TBL, TC, TR, P, T
from .package import Package, Refused, W
from .styles import Styles, is_on

STRIP = "strip"
STRUCK = ("strike", "dstrike")


def inspect(file: BinaryIO, asked: str) -> bytes:
    """JSON of `refused`, `wrong` ([code, text, message]), `content` and `warnings`; then a line end and the file.

    `asked` is STRIP to remove comments, hidden text and tracked changes.
    """
    data = file.read()
    try:
        package = Package(data)
        package.check_size()
        warnings = stripping.check(package, strip=asked == STRIP)
        if warnings:
            data = package.pack()
            package = Package(data)
        reach.check(package)
        warnings += reach.warnings(package)
        wrong, content = read(package)
    except Refused as error:
        return json.dumps({"refused": str(error)}).encode()
    told = {"refused": None, "wrong": wrong, "content": content, "warnings": warnings}
    return json.dumps(told).encode() + b"\n" + data


def read(package: Package) -> tuple[list[marks.Wrong], str]:
    """(wrong directives, HTML)."""
    wrong = marks.mark(package)
    styles = Styles(package)
    stories = (package.tree(name) for name in package.stories())
    return wrong, "".join(f"<div>{''.join(blocks(story, styles))}</div>" for story in stories)


def blocks(container: Iterable[etree._Element], styles: Styles) -> Iterator[str]:
    """The HTML of paragraphs, tables and their groups."""
    for child in container:
        if child.tag == P:
            yield from _paragraph(child, styles)
        elif child.tag == TBL:
            yield f"<table>{''.join(_rows(child, styles, []))}</table>"
        elif child.tag == SCOPE:
            yield f"<div{_attributes(child)}>{''.join(blocks(child, styles))}</div>"
        elif isinstance(child.tag, str) and child.tag not in (BOX, FALLBACK) and child.get(f"{W}type") is None:
            yield from blocks(child, styles)


def _paragraph(paragraph: etree._Element, styles: Styles) -> Iterator[str]:
    level = styles.level(paragraph)
    tag = f"h{min(level, 4)}" if level else "p"
    number, expression = paragraph.get(marks.WHOLE), escape(paragraph.get(EXPRESSION, ""))
    if paragraph.get(KIND) == "clause":
        yield f'<div class="{_mark(number)}" data-clause="{expression}"></div>'
    else:
        attribute = f' class="{_mark(number)}"' if number else ""
        yield f"<{tag}{attribute}>{''.join(_inline(paragraph))}</{tag}>"
    for box in marks.boxes(paragraph):
        yield f"<div>{''.join(blocks(box, styles))}</div>"


def _inline(paragraph: etree._Element) -> Iterator[str]:
    opened: list[str] = []
    for piece in marks.pieces(paragraph):
        if paragraph.get(marks.WHOLE) and not piece.get(NUMBER):
            continue  # the spaces around a tag are no part of its value
        conditions = piece.get(IFS, "").split()
        kept = 0
        while kept < min(len(opened), len(conditions)) and opened[kept] == conditions[kept]:
            kept += 1
        yield "</span>" * (len(opened) - kept)
        kinds, expressions = piece.get(KIND, "").split(), piece.get(EXPRESSION, "").split("\n")
        for place in range(kept, len(conditions)):
            yield f'<span class="{_mark(conditions[place])}"{_condition(kinds[place], expressions[place])}>'
        opened = conditions
        yield _text(piece, paragraph)
    yield "</span>" * len(opened)


def _text(piece: etree._Element, paragraph: etree._Element) -> str:
    if piece.tag != T:
        return "<br>" if marks.SIGNS[piece.tag] == "\n" else marks.SIGNS[piece.tag].replace("\t", " ")
    text = escape(piece.text or "", quote=False)
    number = piece.get(NUMBER)
    if number and not paragraph.get(marks.WHOLE):
        text = f'<span class="{_mark(number)}">{text}</span>'
    about = piece.getparent().find(f"{W}rPr")
    if about is not None and any(is_on(about.find(f"{W}{name}")) for name in STRUCK):
        text = f"<s>{text}</s>"
    return text if piece.get(marks.RAISED) is None else f"<sup>{text}</sup>"


def _rows(holder: etree._Element, styles: Styles, scopes: list[etree._Element]) -> Iterator[str]:
    """The rows of a table; a scope is an attribute of its only row, or a group of rows."""
    for child in holder:
        if child.tag == TR:
            yield f"<tr{_attributes(scopes[-1]) if scopes else ''}>{''.join(_cells(child, styles))}</tr>"
        elif child.tag == SCOPE:
            rows = [row for row in child if row.tag in (TR, SCOPE)]
            if len(rows) == 1 and rows[0].tag == TR:
                yield from _rows(child, styles, [child])
            else:
                yield f"<tbody{_attributes(child)}>{''.join(_rows(child, styles, []))}</tbody>"
        elif isinstance(child.tag, str) and child.find(f".//{TR}") is not None:
            yield from _rows(child, styles, scopes)


def _cells(row: etree._Element, styles: Styles) -> Iterator[str]:
    for cell in row.iter(TC):
        if next(cell.iterancestors(TR)) is row:
            span = cell.find(f"{W}tcPr/{W}gridSpan")
            columns = "" if span is None else span.get(f"{W}val", "1")
            attribute = f' colspan="{int(columns)}"' if columns.isdecimal() and int(columns) > 1 else ""
            yield f"<td{attribute}>{''.join(blocks(cell, styles))}</td>"


def _attributes(scope: etree._Element) -> str:
    return f' class="{_mark(scope.get(NUMBER))}"{_condition(scope.get(KIND), scope.get(EXPRESSION))}'


def _condition(kind: str, expression: str) -> str:
    return ' data-else="else"' if kind == "else" else f' data-{kind}="{escape(expression)}"'


def _mark(number: str | None) -> str:
    """The class that documents/subset.py reads as WORD_MARK."""
    return f"word-{number}"
