"""Elements that the author's program hides."""

import re

from lxml import etree

from pipeline.documents.pasted.reading import classes, declared, text_of
from pipeline.documents.styles import in_points

_NONE = {
    ("display", "none"),
    ("mso-hide", "all"),
    ("visibility", "hidden"),
    ("visibility", "collapse"),
    ("content-visibility", "hidden"),
    ("color", "transparent"),
    ("transform", "scale(0)"),
}
_ZERO = re.compile(r"0(?:\.0+)?(?:pt|px|em|rem|%)?")
_CLIPPED = re.compile(r"rect\((?:[01](?:px)?[\s,]*){4}\)|inset\((?:50|100)%\)")
_FAR = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em)")
# For screen readers alone.
_CLASSES = frozenset(["sr-only", "visually-hidden", "screen-reader-text"])
_MOST = 0.8
# Points that nobody can read.
_SMALL = 1.0
_WHITE = frozenset(["white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)", "window", "background1"])
_CLEAR = _WHITE | {"", "none", "transparent", "initial", "inherit", "unset", "rgba(0,0,0,0)"}


def is_hidden(element: etree._Element) -> bool:
    style = declared(element)
    if "hidden" in element.attrib or (element.tag == "input" and element.get("type", "").lower() == "hidden"):
        return True
    if not _NONE.isdisjoint(style.items()) or _CLASSES.intersection(classes(element)):
        return True
    size = in_points(style.get("font-size", ""))
    if (size is not None and size <= _SMALL) or any(
        _ZERO.fullmatch(style.get(at, "")) for at in ("font-size", "opacity")
    ):
        return True
    return _is_out_of_sight(style)


def _is_out_of_sight(style: dict[str, str]) -> bool:
    clipped = (style.get("clip", ""), style.get("clip-path", ""))
    if any(_CLIPPED.fullmatch(one) for one in clipped) or _FAR.fullmatch(style.get("text-indent", "")):
        return True
    if style.get("position") in ("absolute", "fixed") and any(
        _FAR.fullmatch(style.get(at, "")) for at in ("left", "top")
    ):
        return True
    sizes = ("height", "max-height", "width", "max-width")
    return style.get("overflow") == "hidden" and any(_ZERO.fullmatch(style.get(one, "")) for one in sizes)


def white(body: etree._Element) -> set[etree._Element]:
    """The elements with white text on white; none if most text is white, as from a dark window."""
    found, others, clear = set[etree._Element](), list[etree._Element](), [True]
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if event == "end":
            clear.pop()
            continue
        clear.append(clear[-1] and _background(element) in _CLEAR)
        if colour := _colour(element):
            if colour in _WHITE and clear[-1]:
                found.add(element)
            else:
                others.append(element)
    for element in others:
        found.difference_update(element.iterancestors())
    outer = [one for one in found if found.isdisjoint(one.iterancestors())]
    return set() if sum(len(text_of(one)) for one in outer) > _MOST * len(text_of(body)) else found


def _colour(element: etree._Element) -> str:
    return "".join((declared(element).get("color") or element.get("color", "")).lower().split())


def _background(element: etree._Element) -> str:
    style = declared(element)
    return "".join(
        (style.get("background-color") or style.get("background") or element.get("bgcolor", "")).lower().split()
    )


def hide_columns(body: etree._Element) -> None:
    """Marks cells of hidden columns."""
    for table in body.iter("table"):
        hidden = list[bool]()
        for column in table.iter("col"):
            hidden += [is_hidden(column)] * _span(column, "span")
        if any(hidden) and not any("rowspan" in cell.attrib for cell in table.iter("td", "th")):
            for row in table.iter("tr"):
                _hide_cells(row, hidden)


def _hide_cells(row: etree._Element, hidden: list[bool]) -> None:
    place = 0
    for cell in row.iterchildren("td", "th"):
        columns = hidden[place : place + _span(cell, "colspan")]
        if columns and all(columns):
            cell.set("hidden", "")
        place += _span(cell, "colspan")


def _span(element: etree._Element, name: str) -> int:
    return int(found[0]) if (found := re.fullmatch("[1-9][0-9]?", element.get(name, ""))) else 1
