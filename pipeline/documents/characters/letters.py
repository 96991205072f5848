"""Writes the capitals of a style, so that both documents have the same letters."""

import re

from lxml import etree

from pipeline.documents.styles import style_of, written

_FIRST = re.compile(r"(?<![\w'’])\w")
_CHANGES = {
    "uppercase": str.upper,
    "lowercase": str.lower,
    "capitalize": lambda text: _FIRST.sub(lambda found: found[0].upper(), text),
}


def settle(root: etree._Element) -> None:
    """Changes the texts below each `text-transform`, and removes the style."""
    stack: list[str] = [""]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            stack.append(_taken(element) or stack[-1])
            element.text = _changed(element.text, stack[-1])
        else:
            stack.pop()
            element.tail = _changed(element.tail, stack[-1])


def _taken(element: etree._Element) -> str | None:
    if "text-transform" not in element.get("style", ""):
        return None
    style = style_of(element)
    found = style.pop("text-transform", None)
    if style:
        element.set("style", written(style))
    else:
        del element.attrib["style"]
    return found


def _changed(text: str | None, kind: str) -> str | None:
    return _CHANGES[kind](text) if text and kind in _CHANGES else text
