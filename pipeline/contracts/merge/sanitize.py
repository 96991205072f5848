"""The HTML that a contract template may hold, and how any other HTML becomes it.

Editors and word processors send more than a contract can show. What has a counterpart in the subset becomes it (`h5`
a heading, `align` a style), other elements give way to their text, and what is no text (scripts, styles, embedded
content) goes as a whole. Hostile input costs no more than its length, and nh3 has the last word.
"""

import re
from functools import lru_cache

import nh3

from pipeline.contracts.merge.markup import reduced
from pipeline.contracts.merge.styles import PRESENTATIONAL, clean_attributes
from pipeline.contracts.merge.tree import INLINE, Excess, parse, serialized
from pipeline.validation import invalid_field

MAX_LENGTH = 1 << 20
TOO_LONG = f"Has more than {MAX_LENGTH:,} characters, read or written as plain HTML."
# Each pass works on the result of the one before; what two parsers read alike is reached after two or three.
PASSES = 10

BLOCKS = ("h1", "h2", "h3", "h4", "p", "br", "hr", "div", "blockquote", "ul", "ol", "li")
TABLES = ("table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td")
TAGS = INLINE.union(BLOCKS, TABLES)
# Elements that go with everything in them.
REMOVED = frozenset(
    ["head", "template", "object", "applet", "svg", "math", "audio", "video", "canvas", "map"]
    + ["select", "datalist", "button", "meter"]
)
SECTIONS = ("section", "article", "main", "header", "footer", "aside", "nav", "figure", "figcaption", "address")
OTHER_BLOCKS = ("center", "details", "summary", "dl", "fieldset", "form", "dir", "menu")
RENAMED = {
    **dict.fromkeys(["h5", "h6"], "h4"),
    **dict.fromkeys(["strike", "del"], "s"),
    "ins": "u",
    "dfn": "span",
    **dict.fromkeys(["pre", "dt", "dd", "legend"], "p"),
    **dict.fromkeys([*SECTIONS, *OTHER_BLOCKS], "div"),
}
ATTRIBUTES = {
    "*": {"class", "style", "data-each", "data-if"},
    "a": {"href"},
    "ol": {"start"},
    "col": {"span"},
    "colgroup": {"span"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
KNOWN_TAGS = TAGS | REMOVED | RENAMED.keys()
KNOWN_ATTRIBUTES = PRESENTATIONAL.keys() | set().union(*ATTRIBUTES.values())
# What XML, and with it a Word document, cannot hold, and what no page shows.
UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Word's soft line break and the line ends of Unicode.
LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

CLEANER = nh3.Cleaner(
    tags=set(TAGS),
    clean_content_tags={"script", "style"},
    attributes={tag: ATTRIBUTES.get(tag, set()) | ATTRIBUTES["*"] for tag in TAGS},
    url_schemes={"https", "mailto"},
    strip_comments=True,
    link_rel=None,
)


def sanitize(source: str) -> str:
    """The HTML of a template as it is stored. Applied to its own result it changes nothing.

    Raises the 422 of the field `content`: too_large, too_deep, or malformed_html for what no reader would understand.
    """
    try:
        return cleaned(source)
    except Excess as excess:
        raise invalid_field("content", excess.code, str(excess)) from None


# Saving a template reads it twice, then its first contract does.
@lru_cache(maxsize=8)
def cleaned(source: str) -> str:
    """As `sanitize`, but raises Excess."""
    if len(source) > MAX_LENGTH:
        raise Excess("too_large", TOO_LONG)
    for _ in range(PASSES):
        result = _cleaned_once(source)
        if len(result) > MAX_LENGTH:
            raise Excess("too_large", TOO_LONG)
        if result == source:
            return result
        source = result
    raise Excess("malformed_html", "The elements are nested in a way that cannot be mended.")


def _cleaned_once(source: str) -> str:
    source = UNPRINTABLE.sub("", LINE_END.sub("\n", source))
    body = parse(reduced(source, KNOWN_TAGS, KNOWN_ATTRIBUTES))
    for element in list(body.iterdescendants()):
        if element.tag in REMOVED:
            # Perhaps it went already, with an element around it.
            if element.getparent() is not None:
                element.drop_tree()
        else:
            element.tag = RENAMED.get(element.tag, element.tag)
            clean_attributes(element, ATTRIBUTES["*"] | ATTRIBUTES.get(element.tag, set()))
            if element.tag == "a" and "href" not in element.attrib:
                element.drop_tag()
    return CLEANER.clean(serialized(body))
