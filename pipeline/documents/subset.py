"""The HTML subset of templates, contracts and documents."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree, html

from pipeline.documents import pasted, styles
from pipeline.documents.document import MAX_CONTENT, TooComplex
from pipeline.documents.markup import reduced


class Limits(NamedTuple):
    """The limits of characters, elements and nesting."""

    characters: int
    elements: int
    depth: int


TEMPLATE = Limits(1 << 20, 30_000, 60)
# Values and repeats lengthen a contract; a ready block nests six levels.
CONTRACT = Limits(MAX_CONTENT, 50_000, 66)
MAX_COLUMNS = 60
# Word's limit.
LIST_LEVELS = 9
# A blank to fill in by hand.
BLANK = "_" * 16

HEADINGS = frozenset(["h1", "h2", "h3", "h4"])
LISTS = frozenset(["ol", "ul"])
INLINES = frozenset(["a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup"])
GROUPS = ("thead", "tbody", "tfoot")
# {table part: allowed parents}.
TABLE_PARTS = {
    **dict.fromkeys(["caption", "colgroup", *GROUPS], ("table",)),
    "col": ("colgroup", "table"),
    "tr": ("table", *GROUPS),
    **dict.fromkeys(["td", "th"], ("tr",)),
}
ELEMENTS = INLINES | HEADINGS | LISTS | TABLE_PARTS.keys() | {"p", "br", "hr", "div", "blockquote", "li", "table"}
# The blanks of signers.
PARTIES = ("licensor", "licensee")
PLACES = frozenset(f"{party}-{part}" for party in PARTIES for part in ("signature", "name", "date"))
CLASSES = PLACES.union(
    ["clauses", "contents", "page-break", "schedule", "signatures", "blank", "money", "definition", "title"]
)
# Repeats and conditions.
EXPRESSIONS = ("data-each", "data-if", "data-else")
# The key of a clause to put in.
CLAUSE = "data-clause"
_EVERYWHERE = frozenset(["class", "style", "id", "lang", *EXPRESSIONS])
_FURTHER = {
    "a": frozenset(["href", "data-ref"]),
    "div": frozenset([CLAUSE]),
    "ol": frozenset(["start", "type"]),
    **dict.fromkeys(["p", *HEADINGS], frozenset(["dir"])),
    **dict.fromkeys(["col", "colgroup"], frozenset(["span"])),
    **dict.fromkeys(["td", "th"], frozenset(["colspan", "rowspan"])),
}
# {element: allowed attributes}.
ATTRIBUTES = {tag: _EVERYWHERE | _FURTHER.get(tag, frozenset()) for tag in ELEMENTS}

# Removed with their content; markup.py already removes scripts.
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
# A temporary name of elements to unwrap.
_GIVES_WAY = "gives-way"

# Excludes characters that end a Word field or begin a merge tag.
LINK = re.compile(r"(?:https://|mailto:)[^\s\x00-\x1f\x7f\"'\\<>{}|^`]{3,2000}", re.IGNORECASE)
_VALUES = {
    "href": LINK,
    "lang": re.compile("[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}", re.IGNORECASE),
    "dir": re.compile("ltr|rtl|auto", re.IGNORECASE),
    "start": re.compile("[0-9]{1,4}"),
    "type": re.compile("[1aAiI]"),
    **dict.fromkeys(["span", "colspan", "rowspan"], re.compile("[1-9][0-9]{0,2}")),
}
# The mark makes a truncated condition invalid.
MAX_EXPRESSION = 500
CUT = "…"
# Word's bookmark names ignore case and are short.
IDENTIFIER = re.compile("[a-z][a-z0-9-]{0,29}")
# Characters that XML cannot hold or that print nothing.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Word's soft break and Unicode's line ends.
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


def clean_text(text: str, instead: str = "") -> str:
    """Normalizes line ends and replaces unprintable characters."""
    return _UNPRINTABLE.sub(instead, _LINE_END.sub("\n", text))


def expression(name: str, value: str) -> str:
    """The stored value of one of EXPRESSIONS or CLAUSE, never empty."""
    value = clean_text(value, "?").strip()
    if len(value) > MAX_EXPRESSION:
        return value[:MAX_EXPRESSION] + CUT
    return value or ("else" if name == "data-else" else "?")


def read(source: str, limits: Limits) -> etree._Element:
    """Parses any HTML into the subset, in linear time; raises TooComplex.

    Unknown elements leave their text; scripts, styles and embedded content go.
    """
    body = _cut(source, limits)
    pasted.settle_lists(body)
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
        if element.tag == "a" and not attributes.keys() & {"href", "data-ref"}:
            element.tag = _GIVES_WAY
    _settle_references(body)
    etree.strip_tags(body, _GIVES_WAY)
    _strip_references(body)
    return body


def _cut(source: str, limits: Limits) -> etree._Element:
    body = parse("".join(reduced(clean_text(source), READ_ELEMENTS, READ_ATTRIBUTES)), limits)
    etree.strip_elements(body, *REMOVED, with_tail=False)
    return body


def _break_lines(body: etree._Element, limits: Limits) -> None:
    """Puts `br` at the line ends of preformatted texts."""
    texts = list(body.iter("pre"))
    if sum(piece.count("\n") for text in texts for piece in text.itertext()) > limits.elements:
        raise _too_many(limits)
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


def lost_markers(source: str) -> Iterator[str]:
    """The list markers pasted from Word that a template would change."""
    return pasted.lost(_cut(source, TEMPLATE)) if "mso" in source.lower() else iter(())


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
            if _UNPRINTABLE.search(getattr(element, place) or ""):
                setattr(element, place, clean_text(getattr(element, place)))


def parse(source: str, limits: Limits) -> etree._Element:
    """Parses HTML of the subset; raises TooComplex.

    The parser stops at 256 levels.
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
            raise _too_many(limits)
    return body


def _too_many(limits: Limits) -> TooComplex:
    return TooComplex(f"There are too many elements, more than {limits.elements:,}.", "too_large")


def serialized(body: etree._Element) -> str:
    whole = etree.tostring(body, method="html", encoding="unicode", with_tail=False)
    return whole.removeprefix("<body>").removesuffix("</body>")


def take_out(body: etree._Element, elements: Iterable[etree._Element]) -> None:
    """Unwraps elements in linear time."""
    for element in elements:
        element.tag = _GIVES_WAY
    etree.strip_tags(body, _GIVES_WAY)


def _sound(tag: str, given: dict[str, str]) -> dict[str, str]:
    style = styles.written(styles.read(tag, given))
    sound = {"style": style} if style else {}
    for name in sorted(ATTRIBUTES[tag] & given.keys() - {"style"}):
        if value := _value(name, given[name]):
            sound[name] = value
    return sound


def _value(name: str, value: str) -> str:
    if name == "class":
        return " ".join(sorted(CLASSES.intersection(value.split())))
    if name in EXPRESSIONS or name == CLAUSE:
        # An invalid expression must be refused, not changed.
        return expression(name, value)
    value = value.strip()
    if name in ("id", "data-ref"):
        return found[0] if (found := IDENTIFIER.fullmatch(value.lower())) else "?" * (name == "data-ref")
    return value if _VALUES[name].fullmatch(value) else ""
