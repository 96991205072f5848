"""Parses HTML into the subset's tree; each list has a class such as `clauses level-2` or `plain-2`."""

import re
import unicodedata
from itertools import takewhile

from lxml import etree

from pipeline.documents import references, subset
from pipeline.documents.characters import letters
from pipeline.documents.clauses import list_level, plain_level
from pipeline.documents.document import BLANK, TooComplex
from pipeline.documents.layout import borders, columns
from pipeline.documents.reading import read
from pipeline.documents.styles import style_of, written
from pipeline.documents.subset import HEADINGS, INLINES, LIST_LEVELS, LISTS, TABLE_PARTS

# Email addresses, URLs and very long words.
WHOLE = re.compile("[^\\s]@[^\\s]|://|[!-\u024f]{31}")
# Article and contract numbers, and capitals, which Word does not hyphenate either.
CODE = re.compile("((?<![\\w-])(?=[0-9-]*[A-ZÀ-ÖØ-Þ])[0-9A-ZÀ-ÖØ-Þ-]{8,}(?![\\w-]))")
DIRECTIONS_OF_LETTERS = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def parse(html: str, language: str = "en", line: float = 160) -> etree._Element:
    """The content as an lxml `div` with links to `#id`; raises TooComplex. `line` is the width of the text in mm."""
    root = _tree(html, language)
    references.link_references(root)
    letters.settle(root)
    _fill_blanks(root)
    _settle_empty(root)
    _settle_directions(root)
    _leave_ragged(root)
    _keep_codes(root)
    borders.settle(root)
    for table in root.iter("table"):
        columns.set_column_widths(table, line * columns.POINTS)
    return root


def numbers(html: str, language: str = "en") -> dict[str, str | None]:
    """{id: number such as `2.1(a)`, or None}."""
    return references.numbers(_tree(html, language))


def _tree(html: str, language: str) -> etree._Element:
    root = read(html, subset.CONTRACT)
    root.tag, root.tail = "div", None
    _settle_tables(root)
    for element in list(root.iter(*LISTS)):
        _settle_items(element)
    for element in list(root.iter("li")):
        _settle_item(element)
    _tell_lists(root, re.split("[-_]", language.lower())[0] == "ar")
    return root


def _settle_tables(root: etree._Element) -> None:
    misplaced = {}
    for element in root.iter(*TABLE_PARTS):
        parent = element.getparent()
        while parent in misplaced:
            parent = parent.getparent()
        if parent.tag not in TABLE_PARTS[element.tag]:
            misplaced[element] = True
    subset.take_out(root, misplaced)
    for element in root.iter("table", "colgroup", "tr", *subset.GROUPS):
        element.text = None
        for child in element:
            child.tail = None


def _settle_items(element: etree._Element) -> None:
    """Moves content between items into an item."""
    item, text = None, element.text
    element.text = None
    for child in [None, *element]:
        if child is not None:
            text, child.tail = child.tail, None
            if child.tag == "li":
                item = child
            else:
                item = _item(element, item)
                item.append(child)
        if (text or "").strip():
            item = _item(element, item)
            _append_text(item, text)


def _item(element: etree._Element, item: etree._Element | None) -> etree._Element:
    if item is None:
        item = etree.Element("li")
        element.insert(0, item)
    return item


def _append_text(element: etree._Element, text: str) -> None:
    # `len(element)` would count all children.
    last = next(element.iterchildren(reversed=True), None)
    if last is not None:
        last.tail = (last.tail or "") + text
    else:
        element.text = (element.text or "") + text


def _settle_item(item: etree._Element) -> None:
    """Turns an item outside a list into a `div`; others must begin with a paragraph or heading."""
    if item.getparent().tag not in LISTS:
        item.tag = "div"
        return
    first = None if (item.text or "").strip() or not len(item) else item[0]
    if first is not None and (first.tag == "p" or first.tag in HEADINGS):
        return
    paragraph = etree.Element("p")
    paragraph.text, item.text = item.text, None
    paragraph.extend(takewhile(lambda child: child.tag in INLINES or child.tag == "br", list(item)))
    item.insert(0, paragraph)


def _tell_lists(root: etree._Element, arabic: bool) -> None:
    for element in root.iter(*LISTS):
        item = element.getparent()
        above = item.getparent() if item.tag == "li" else None
        clauses_above, level_above = list_level(above) if above is not None else (False, 0)
        clauses = element.tag == "ol" and (clauses_above or has_class(element, "clauses"))
        continued = above is not None and above.tag == element.tag and clauses_above == clauses
        level = level_above + 1 if continued else 1
        if sum(1 for _ in element.iterancestors(*LISTS)) >= LIST_LEVELS:
            raise TooComplex(f"Lists are nested more than {LIST_LEVELS} deep.")
        names = f"clauses level-{level}" if clauses else f"plain-{level}"
        element.set("class", f"{names} arabic-{level}" if arabic else names)
        if element.tag == "ol" and not clauses:
            element.set("data-form", plain_level(element)[0])
        for item in element:
            item[0].set("class", f"{item[0].get('class', '')} numbered".strip())


def _fill_blanks(root: etree._Element) -> None:
    for element in root.iter("span"):
        if has_class(element, "blank") and not "".join(element.itertext()).strip():
            del element[:]
            element.text = BLANK


def _settle_empty(root: etree._Element) -> None:
    """Removes empty paragraphs, except those with a line break or space."""
    for element in [element for element in root.iter("p") if not has_class(element, "numbered")]:
        text = "".join(element.itertext())
        if text.strip() or element.find(".//img") is not None:
            continue
        if not text.strip(" \t\r\n\f") and element.find(".//br") is None:
            element.drop_tree()
        else:
            del element[:]
            element.text = "\u00a0"
            element.set("style", written({**style_of(element), "break-after": "avoid"}))


def _settle_directions(root: etree._Element) -> None:
    """Replaces `auto`; numbered paragraphs follow their list."""
    for element in [element for element in root.iter() if element.get("dir")]:
        direction = element.attrib.pop("dir").lower()
        if direction == "auto":
            direction = _direction_of("".join(element.itertext()))
        if direction and not has_class(element, "numbered"):
            element.set("dir", direction)


def _direction_of(text: str) -> str | None:
    found = (DIRECTIONS_OF_LETTERS.get(unicodedata.bidirectional(character)) for character in text)
    return next(filter(None, found), None)


def _leave_ragged(root: etree._Element) -> None:
    for element in root.iter():
        for text, block in ((element.text, element), (element.tail, element.getparent())):
            if text and WHOLE.search(text):
                while block.tag in INLINES:
                    block = block.getparent()
                if not has_class(block, "ragged"):
                    block.set("class", f"ragged {block.get('class', '')}".strip())


def _keep_codes(root: etree._Element) -> None:
    for element in list(root.iter()):
        if CODE.search(element.text or ""):
            element.text, spans = _coded(element.text)
            element[:0] = spans
        if element is not root and CODE.search(element.tail or ""):
            before, spans = _coded(element.tail)
            element.tail = None
            # Not by its index among the siblings, which each look counts anew.
            for span in reversed(spans):
                element.addnext(span)
            element.tail = before


def _coded(text: str) -> tuple[str, list[etree._Element]]:
    before, *parts = CODE.split(text)
    spans = []
    for code, after in zip(parts[::2], parts[1::2], strict=True):
        span = etree.Element("span", {"class": "code"})
        span.text, span.tail = code, after
        spans.append(span)
    return before, spans


def has_class(element: etree._Element, name: str) -> bool:
    return name in element.get("class", "").split()
