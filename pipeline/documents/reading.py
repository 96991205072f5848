"""Reads any HTML into the subset."""

import re

from lxml import etree

from pipeline.documents import pasted, styles
from pipeline.documents.markup import reduced
from pipeline.documents.subset import (
    ATTRIBUTES,
    CLASSES,
    CLAUSE,
    ELEMENTS,
    EXPRESSIONS,
    GIVES_WAY,
    IDENTIFIER,
    LINK,
    PICTURE,
    TEMPLATE,
    UNPRINTABLE,
    WORD_MARK,
    SubsetLimits,
    clean_text,
    expression,
    parse,
    too_many,
)

# Removed with their content; markup.py already removes scripts.
REMOVED = (
    *("head", "template", "object", "applet", "svg", "math", "audio", "video", "canvas", "map", "noscript"),
    *("select", "datalist", "button", "meter", "dialog"),
)
_SECTIONS = ("section", "article", "main", "header", "footer", "aside", "nav", "figure", "figcaption", "address")
_OTHER_BLOCKS = ("center", "details", "summary", "dl", "fieldset", "form", "dir", "menu")
_RENAMED = {
    **dict.fromkeys(["h5", "h6"], "h4"),
    "strike": "s",
    **dict.fromkeys(["dfn", "bdi"], "span"),
    **dict.fromkeys(["pre", "dt", "dd", "legend"], "p"),
    **dict.fromkeys([*_SECTIONS, *_OTHER_BLOCKS], "div"),
}
READ_ELEMENTS = ELEMENTS.union(REMOVED, _RENAMED, pasted.ELEMENTS)
READ_ATTRIBUTES = styles.PRESENTATIONAL.keys() | pasted.ATTRIBUTES | frozenset().union(*ATTRIBUTES.values())

ID, MAX_ALT = re.compile("[1-9][0-9]{0,17}"), 1000
_VALUES = {
    "href": LINK,
    "lang": re.compile("[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}", re.IGNORECASE),
    "dir": re.compile("ltr|rtl|auto", re.IGNORECASE),
    "start": re.compile("[0-9]{1,4}"),
    "type": re.compile("[1aAiI]"),
    **dict.fromkeys(["span", "colspan", "rowspan"], re.compile("[1-9][0-9]{0,2}")),
}


def read(source: str, limits: SubsetLimits) -> etree._Element:
    """Parses any HTML into the subset, in linear time; raises TooComplex.

    Unknown elements leave their text; scripts, styles and embedded content go.
    """
    body, _changes = _settled(source, limits)
    _break_lines(body, limits)
    for element in body.iterdescendants():
        if element.tag == "center":
            element.set("align", "center")
        element.tag = _RENAMED.get(element.tag, element.tag)
        # `dict(element.attrib)` is quadratic.
        attributes = _sound(element.tag, dict(element.items()))
        element.attrib.clear()
        for name, value in attributes.items():
            element.set(name, value)
        if element.tag == "img" and PICTURE not in attributes:
            element.tag = GIVES_WAY
        if element.tag == "a" and not attributes.keys() & {"href", "data-ref"}:
            element.tag = GIVES_WAY
    _settle_references(body)
    etree.strip_tags(body, GIVES_WAY)
    return body


def _settled(source: str, limits: SubsetLimits) -> tuple[etree._Element, list[pasted.PasteChange]]:
    """The parsed source as its author saw it, and what that changed."""
    source = pasted.opened(clean_text(source))
    body = parse("".join(reduced(source, READ_ELEMENTS, READ_ATTRIBUTES)), limits)
    etree.strip_elements(body, *REMOVED, with_tail=False)
    _strip_references(body)
    return body, pasted.settle(body, source)


def _break_lines(body: etree._Element, limits: SubsetLimits) -> None:
    """Puts `br` at the line ends of preformatted texts."""
    texts = list(body.iter("pre"))
    if sum(piece.count("\n") for text in texts for piece in text.itertext()) > limits.elements:
        raise too_many(limits)
    for text in texts:
        text.text = (text.text or "").removeprefix("\n")
        for element in list(text.iter()):
            element.text, *lines = (element.text or "").split("\n")
            for line in reversed(lines):
                element.insert(0, _line_break(line))
            if element is not text:
                tail, *lines = (element.tail or "").split("\n")
                element.tail = None
                for line in reversed(lines):
                    element.addnext(_line_break(line))
                element.tail = tail


def _line_break(line: str) -> etree._Element:
    made = etree.Element("br")
    made.tail = line
    return made


def pasted_changes(source: str) -> list[pasted.PasteChange]:
    """What is changed so that a pasted template prints as it looked."""
    return _settled(source, TEMPLATE)[1]


def _settle_references(body: etree._Element) -> None:
    """Removes ids without a reference, and fills empty references."""
    used = set()
    for element in body.iter("a"):
        if name := element.get("data-ref"):
            used.add(name)
            element.attrib.pop("href", None)
            if not "".join(element.itertext()).strip():
                element.text = name
    for element in body.iterdescendants():
        if element.get("id") and element.get("id") not in used:
            del element.attrib["id"]


def _strip_references(body: etree._Element) -> None:
    for element in body.iter():
        for place in ("text", "tail"):
            if UNPRINTABLE.search(getattr(element, place) or ""):
                setattr(element, place, clean_text(getattr(element, place)))


def _sound(tag: str, given: dict[str, str]) -> dict[str, str]:
    style = styles.written(styles.read(tag, given))
    sound = {"style": style} if style else {}
    for name in sorted(ATTRIBUTES[tag] & given.keys() - {"style"}):
        value = _value(name, given[name])
        if value or name == "alt":
            sound[name] = value
    return sound


def _value(name: str, value: str) -> str:
    if name == "class":
        return " ".join(sorted(one for one in set(value.split()) if one in CLASSES or WORD_MARK.fullmatch(one)))
    if name in EXPRESSIONS or name == CLAUSE:
        # An invalid expression must be refused, not changed.
        return expression(name, value)
    if name == "alt":
        return " ".join(clean_text(value).split())[:MAX_ALT]
    value = value.strip()
    if name == PICTURE:
        # An invalid id must be refused, not removed.
        return value if ID.fullmatch(value) else "?"
    if name in ("id", "data-ref"):
        return found[0] if (found := IDENTIFIER.fullmatch(value.lower())) else "?" * (name == "data-ref")
    return value if _VALUES[name].fullmatch(value) else ""
