"""The HTML that a contract may hold: one definition for templates, for contracts and for what is printed of them.

Editors and word processors send more than a contract can show. `read` makes a tree of any HTML: what has a counterpart
in the subset becomes it (`h5` a heading, `align` a style), other elements give way to their text, and what is no text
(scripts, styles, embedded content) goes as a whole. It costs no more than the HTML is long.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree, html

from pipeline.documents import pasted, styles
from pipeline.documents.document import MAX_CONTENT, TooComplex
from pipeline.documents.markup import reduced


class Limits(NamedTuple):
    """How long HTML may be, how many elements it may have, and how deep they may nest."""

    characters: int
    elements: int
    depth: int


TEMPLATE = Limits(1 << 20, 30_000, 60)
# Values and repeats make a contract longer than its template; a ready block nests six levels in a paragraph's place.
CONTRACT = Limits(MAX_CONTENT, 50_000, 66)
MAX_COLUMNS = 60
# As many as Word knows.
LIST_LEVELS = 9
# What is to be filled in by hand.
BLANK = "_" * 16

HEADINGS = frozenset(["h1", "h2", "h3", "h4"])
LISTS = frozenset(["ol", "ul"])
INLINES = frozenset(["a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup"])
GROUPS = ("thead", "tbody", "tfoot")
# An element of a table, and what it stands in.
TABLE_PARTS = {
    **dict.fromkeys(["caption", "colgroup", *GROUPS], ("table",)),
    "col": ("colgroup", "table"),
    "tr": ("table", *GROUPS),
    **dict.fromkeys(["td", "th"], ("tr",)),
}
ELEMENTS = INLINES | HEADINGS | LISTS | TABLE_PARTS.keys() | {"p", "br", "hr", "div", "blockquote", "li", "table"}
CLASSES = frozenset(
    ["clauses", "contents", "page-break", "schedule", "signatures", "blank", "money", "definition", "title"]
)
# Attributes that repeat an element or make it depend on a condition.
EXPRESSIONS = ("data-each", "data-if", "data-else")
_EVERYWHERE = frozenset(["class", "style", "id", "lang", *EXPRESSIONS])
_FURTHER = {
    "a": frozenset(["href", "data-ref"]),
    "ol": frozenset(["start", "type"]),
    **dict.fromkeys(["p", *HEADINGS], frozenset(["dir"])),
    **dict.fromkeys(["col", "colgroup"], frozenset(["span"])),
    **dict.fromkeys(["td", "th"], frozenset(["colspan", "rowspan"])),
}
# The attributes that each element may have.
ATTRIBUTES = {tag: _EVERYWHERE | _FURTHER.get(tag, frozenset()) for tag in ELEMENTS}

# Elements that go with everything in them; scripts and the like never get as far as the tree.
REMOVED = (
    *("head", "template", "object", "applet", "svg", "math", "audio", "video", "canvas", "map", "noscript"),
    *("select", "datalist", "button", "meter"),
)
_SECTIONS = ("section", "article", "main", "header", "footer", "aside", "nav", "figure", "figcaption", "address")
_OTHER_BLOCKS = ("center", "details", "summary", "dl", "fieldset", "form", "dir", "menu")
_RENAMED = {
    **dict.fromkeys(["h5", "h6"], "h4"),
    **dict.fromkeys(["strike", "del"], "s"),
    "ins": "u",
    **dict.fromkeys(["dfn", "bdi"], "span"),
    **dict.fromkeys(["pre", "dt", "dd", "legend"], "p"),
    **dict.fromkeys([*_SECTIONS, *_OTHER_BLOCKS], "div"),
}
READ_ELEMENTS = ELEMENTS.union(REMOVED, _RENAMED)
READ_ATTRIBUTES = styles.PRESENTATIONAL.keys() | frozenset().union(*ATTRIBUTES.values())
# The name of elements that give way to their content.
_GIVES_WAY = "gives-way"

# Where a link may lead; nothing in it could end the field of a Word file or be a merge tag.
LINK = re.compile(r"(?:https://|mailto:)[^\s\x00-\x1f\x7f\"'\\<>{}|^`]{3,2000}", re.IGNORECASE)
_VALUES = {
    "href": LINK,
    "lang": re.compile("[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}", re.IGNORECASE),
    "dir": re.compile("ltr|rtl|auto", re.IGNORECASE),
    "start": re.compile("[0-9]{1,4}"),
    "type": re.compile("[1aAiI]"),
    **dict.fromkeys(["span", "colspan", "rowspan"], re.compile("[1-9][0-9]{0,2}")),
}
# A longer condition is cut, and its end marked with a character that no condition has, so that it is refused.
MAX_EXPRESSION = 500
CUT = "…"
# Of an element that is referred to, in small letters: Word knows no difference, and no long names.
IDENTIFIER = re.compile("[a-z][a-z0-9-]{0,29}")
# What XML, and with it a Word document, cannot hold, and what no page shows.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Word's soft line break and the line ends of Unicode.
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


def clean_text(text: str, instead: str = "") -> str:
    """Text with one kind of line end, and with `instead` for each character that no document can hold."""
    return _UNPRINTABLE.sub(instead, _LINE_END.sub("\n", text))


def expression(name: str, value: str) -> str:
    """The value of one of EXPRESSIONS as a template keeps it; it is never empty."""
    value = clean_text(value, "?").strip()
    if len(value) > MAX_EXPRESSION:
        return value[:MAX_EXPRESSION] + CUT
    return value or ("else" if name == "data-else" else "?")


def read(source: str, limits: Limits) -> etree._Element:
    """The tree of HTML of any kind, a body: elements, attributes and values of the subset only. Raises TooComplex."""
    body = parse("".join(reduced(clean_text(source), READ_ELEMENTS, READ_ATTRIBUTES)), limits)
    etree.strip_elements(body, *REMOVED, with_tail=False)
    pasted.settle_lists(body)
    for element in body.iterdescendants():
        element.tag = _RENAMED.get(element.tag, element.tag)
        # Not dict(element.attrib), which looks each name up along the list of all.
        attributes = _sound(element.tag, dict(element.items()))
        element.attrib.clear()
        for name, value in attributes.items():
            element.set(name, value)
        if element.tag == "a" and not attributes.keys() & {"href", "data-ref"}:
            element.tag = _GIVES_WAY
    _settle_references(body)
    etree.strip_tags(body, _GIVES_WAY)
    _strip_references(body)
    return body


def _settle_references(body: etree._Element) -> None:
    """Keep the ids that are referred to, of all that editors write, and let no reference be without a text to see."""
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
    """Take out the characters that no document can hold where they were written by their number (`&#1;`)."""
    for element in body.iter():
        for place in ("text", "tail"):
            if _UNPRINTABLE.search(getattr(element, place) or ""):
                setattr(element, place, clean_text(getattr(element, place)))


def parse(source: str, limits: Limits) -> etree._Element:
    """The tree of HTML that is in the subset, a body. Raises TooComplex.

    The parser gives up at 256 levels, so that a million nested elements cost no more than a few hundred.
    """
    too_deep = TooComplex(f"Elements are nested too deeply, more than {limits.depth} levels.", "too_deep")
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    document = etree.fromstring(f"<html><body>{source}</body></html>".encode(), parser)
    if any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log):
        raise too_deep
    body = document.find("body")
    if body is None:
        return etree.Element("body")
    depth = count = -1
    for event, _ in etree.iterwalk(body, events=("start", "end")):
        depth += 1 if event == "start" else -1
        count += event == "start"
        if depth > limits.depth:
            raise too_deep
        if count > limits.elements:
            raise TooComplex(f"There are too many elements, more than {limits.elements:,}.", "too_large")
    return body


def serialized(body: etree._Element) -> str:
    """The HTML of what stands in a body."""
    whole = etree.tostring(body, method="html", encoding="unicode", with_tail=False)
    return whole.removeprefix("<body>").removesuffix("</body>")


def take_out(body: etree._Element, elements: Iterable[etree._Element]) -> None:
    """Let elements of a tree give way to their content; the time grows with the tree, however many they are."""
    for element in elements:
        element.tag = _GIVES_WAY
    etree.strip_tags(body, _GIVES_WAY)


def _sound(tag: str, given: dict[str, str]) -> dict[str, str]:
    """The attributes that an element may have, with the sound part of their values."""
    style = styles.written(styles.read(tag, given))
    sound = {"style": style} if style else {}
    for name in sorted(ATTRIBUTES[tag] & given.keys() - {"style"}):
        if value := _value(name, given[name]):
            sound[name] = value
    return sound


def _value(name: str, value: str) -> str:
    """The sound part of an attribute's value; empty when nothing of it is."""
    if name == "class":
        return " ".join(sorted(CLASSES.intersection(value.split())))
    if name in EXPRESSIONS:
        # As it is written: what is not understood must be refused, never become something else.
        return expression(name, value)
    value = value.strip()
    if name in ("id", "data-ref"):
        return found[0] if (found := IDENTIFIER.fullmatch(value.lower())) else "?" * (name == "data-ref")
    return value if _VALUES[name].fullmatch(value) else ""
