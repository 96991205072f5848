"""The HTML subset of templates, contracts and documents."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree, html

from pipeline.documents.document import MAX_CONTENT, TooComplex


class SubsetLimits(NamedTuple):
    """The limits of characters, elements and nesting."""

    characters: int
    elements: int
    depth: int


TEMPLATE = SubsetLimits(1 << 20, 30_000, 60)
# Values and repeats lengthen a contract; a ready block nests six levels.
CONTRACT = SubsetLimits(MAX_CONTENT, 50_000, 66)
MAX_COLUMNS = 60
# Word's limit.
LIST_LEVELS = 9

HEADINGS = frozenset(["h1", "h2", "h3", "h4"])
LISTS = frozenset(["ol", "ul"])
INLINES = frozenset(["a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup", "img"])
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
PLACES = frozenset(f"{party}-{part}" for party in PARTIES for part in ("signature", "name", "title", "date"))
# Paragraphs with a marker of their own, by their depth.
MARKED = tuple(f"marked-{depth}" for depth in range(1, 10))
CLASSES = PLACES.union(
    ["clauses", "contents", "page-break", "schedule", "signatures", "blank", "money", "definition", "title"],
    ["marker", "literal", *MARKED],
)
# The place of an element in an author's Word file (pipeline/documents/authored/).
WORD_MARK = re.compile("word-([1-9][0-9]{0,6})")
# Repeats and conditions.
EXPRESSIONS = ("data-each", "data-if", "data-else")
# The key of a clause to put in.
CLAUSE = "data-clause"
# The id of a picture.
PICTURE = "data-picture"
_EVERYWHERE = frozenset(["class", "style", "id", "lang", *EXPRESSIONS])
_FURTHER = {
    "a": frozenset(["href", "data-ref"]),
    "div": frozenset([CLAUSE]),
    "img": frozenset([PICTURE, "alt"]),
    "ol": frozenset(["start", "type"]),
    **dict.fromkeys(["p", *HEADINGS], frozenset(["dir"])),
    **dict.fromkeys(["col", "colgroup"], frozenset(["span"])),
    **dict.fromkeys(["td", "th"], frozenset(["colspan", "rowspan"])),
}
# {element: allowed attributes}.
ATTRIBUTES = {tag: _EVERYWHERE | _FURTHER.get(tag, frozenset()) for tag in ELEMENTS}

# A temporary name of elements to unwrap.
GIVES_WAY = "gives-way"

# Excludes characters that end a Word field or begin a merge tag.
LINK = re.compile(r"(?:https://|mailto:)[^\s\x00-\x1f\x7f\"'\\<>{}|^`]{3,2000}", re.IGNORECASE)
# The mark makes a truncated condition invalid.
MAX_EXPRESSION = 500
CUT = "…"
# Word's bookmark names ignore case and are short.
IDENTIFIER = re.compile("[a-z][a-z0-9-]{0,29}")
# Characters that XML cannot hold or that print nothing.
UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Word's soft break and Unicode's line ends.
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


def clean_text(text: str, instead: str = "") -> str:
    """Normalizes line ends and replaces unprintable characters."""
    return UNPRINTABLE.sub(instead, _LINE_END.sub("\n", text))


def word_mark(number: object) -> str:
    """The class that WORD_MARK reads."""
    return f"word-{number}"


def expression(name: str, value: str) -> str:
    """The stored value of one of EXPRESSIONS or CLAUSE, never empty."""
    value = clean_text(value, "?").strip()
    if len(value) > MAX_EXPRESSION:
        return value[:MAX_EXPRESSION] + CUT
    return value or ("else" if name == "data-else" else "?")


def parse(source: str, limits: SubsetLimits) -> etree._Element:
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
            raise too_many(limits)
    return body


def too_many(limits: SubsetLimits) -> TooComplex:
    return TooComplex(f"There are too many elements, more than {limits.elements:,}.", "too_large")


def serialized(body: etree._Element) -> str:
    whole = etree.tostring(body, method="html", encoding="unicode", with_tail=False)
    return whole.removeprefix("<body>").removesuffix("</body>")


def take_out(body: etree._Element, elements: Iterable[etree._Element]) -> None:
    """Unwraps elements in linear time."""
    for element in elements:
        element.tag = GIVES_WAY
    etree.strip_tags(body, GIVES_WAY)
