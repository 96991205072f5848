"""Reads the lists of web editors as nested HTML lists."""

from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted.reading import GONE, LOOSE, PasteChange, add_style, classes, drop, text_of

_LISTS = ("ol", "ul")
_INDENT = "ql-indent-"
_DEEPEST = 8
# Quill's kinds of items that are not numbered.
_UNNUMBERED = frozenset(["bullet", "checked", "unchecked"])
# Word's text where nothing was typed yet.
_PROMPT = "msoplaceholdertext"
PLACEHOLDER = "placeholder"


def settle(body: etree._Element) -> Iterator[PasteChange]:
    for element in list(body.iter(*_LISTS)):
        if any(item.get("data-list") or _depth(item) for item in element.iterchildren("li")):
            _nest(element)
    for item in list(body.iter("li")):
        _join(item)
        _tick(item)
    for element in body.iter("ol"):
        if "legal-list" in classes(element):
            _number(element, "")
    drop(body)
    etree.strip_tags(body, LOOSE)
    for element in body.iter("span"):
        if _PROMPT in classes(element) and (text := " ".join(text_of(element).split())):
            yield PasteChange(PLACEHOLDER, text)


def _depth(item: etree._Element) -> int:
    # Quill's, from 0.
    found = next((name for name in classes(item) if name.startswith(_INDENT)), "")
    return min(int(found[-1]), _DEEPEST) if found[-1:].isdecimal() else 0


def _nest(flat: etree._Element) -> None:
    # Quill's items lie in one list; numbers go on after other items of a level.
    numbers, lists = [0] * (_DEEPEST + 2), list[etree._Element]()
    for item in list(flat.iterchildren("li")):
        depth, kind = _depth(item), item.attrib.pop("data-list", "")
        tag = "ul" if kind in _UNNUMBERED or flat.tag == "ul" else "ol"
        if kind in ("checked", "unchecked"):
            item.set("data-checked", "true" if kind == "checked" else "false")
        del lists[depth + 1 :]
        if len(lists) == depth + 1 and lists[-1].tag != tag:
            lists.pop()
        while len(lists) <= depth:
            lists.append(_opened(lists, tag, flat, numbers))
        numbers[depth] += tag == "ol"
        numbers[depth + 1 :] = [0] * (_DEEPEST + 1 - depth)
        lists[-1].append(item)
    flat.tag = GONE


def _opened(lists: list[etree._Element], tag: str, flat: etree._Element, numbers: list[int]) -> etree._Element:
    made = etree.Element(tag)
    if lists:
        items = lists[-1]
        if not len(items):
            etree.SubElement(items, "li", {"style": "list-style-type:none", "value": "0"})
        items[-1].append(made)
    else:
        flat.addprevious(made)
    if tag == "ol" and numbers[len(lists)]:
        made.set("start", str(numbers[len(lists)] + 1))
    return made


def _join(item: etree._Element) -> None:
    # Lexical shows the list of an item that holds nothing else below the item before it.
    if "value" not in item.attrib or not len(item) or (item.text or "").strip():
        return
    if any(one.tag not in _LISTS or (one.tail or "").strip() for one in item):
        return
    before = item.getprevious()
    if before is None:
        add_style(item, "list-style-type:none")
    else:
        before.extend(list(item))
        item.tag = GONE


def _tick(item: etree._Element) -> None:
    parent = item.getparent()
    if parent.tag != "ul":
        return
    if "inline-task-list" in classes(parent) and "checked" not in classes(item):
        item.set("data-checked", "false")
    for element in item.iterdescendants("input", "div", "p", "span"):
        names = classes(element)
        if element.tag == "input" and element.get("type", "").lower() == "checkbox":
            item.set("data-checked", "true" if "checked" in element.attrib else "false")
            element.tag = GONE
        elif "checkbox" in names and not text_of(element).strip():
            item.set("data-checked", "true" if "checkbox-on" in names else "false")
            element.tag = GONE
        elif not (element.text or "").strip():
            continue
        break
    for element in item.iterchildren("div"):
        if item.get("data-checked") and element.find("p") is not None:
            element.tag = LOOSE


def _number(element: etree._Element, above: str) -> None:
    # CKEditor's style sheet prints these numbers.
    for number, item in enumerate(element.iterchildren("li"), start=1):
        add_style(item, f"list-style-type:'{above}{number}.'")
        for below in item.iterchildren("ol"):
            _number(below, f"{above}{number}.")
