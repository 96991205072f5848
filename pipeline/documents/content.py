"""The HTML of a contract as a tree that both renderers read, so that they agree on what it says.

Whatever comes in, only the subset goes out: known elements, known classes, checked styles. What the sanitiser has
let through by mistake ends here. Lists are told apart once, for both: `clauses level-2` is the second level of a
legal numbering, `plain-2` a list inside a list.
"""

import re

from lxml import etree

from pipeline.documents import columns
from pipeline.documents.document import TooComplex
from pipeline.documents.grid import GROUPS, columns_in, rows_of
from pipeline.documents.styles import LINK, declarations, read_style

MAX_DEPTH = 60
MAX_ELEMENTS = 50_000
MAX_COLUMNS = 60
MAX_ROWS_SPANNED = 1000
LIST_LEVELS = 9
BLANK = "_" * 20

HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
LISTS = frozenset(("ol", "ul"))
BLOCKS = HEADINGS | LISTS | {"p", "hr", "div", "blockquote", "li", "table"}
INLINES = frozenset(("a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup", "br"))
CLASSES = frozenset(("clauses", "page-break", "schedule", "signatures", "blank", "money", "definition", "title"))
# An element of a table stands in its place or not at all.
_PARENTS = {
    "caption": ("table",),
    "colgroup": ("table",),
    "col": ("colgroup", "table"),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "tr": ("table", *GROUPS),
    "td": ("tr",),
    "th": ("tr",),
}
_NO_TEXT = frozenset(("table", "colgroup", "tr", *GROUPS))
# Elements whose content is no text of the document.
_DROPPED = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "object",
        "applet",
        "svg",
        "math",
        "title",
        "select",
        "textarea",
        "video",
        "audio",
        "canvas",
        "noembed",
        "noframes",
    )
)
# Characters that XML, and so a Word file, cannot hold.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def clean_text(text):
    """Text without the characters that no document can hold."""
    return _ILLEGAL.sub("", text)


def parse(html):
    """The content as an lxml `div` of the subset only; TooComplex when it is too deep, too large or too wide."""
    parser = etree.HTMLParser(target=_Builder(), huge_tree=True)
    try:
        parser.feed("<html><body><div>" + clean_text(html))
        root = parser.close()
    except etree.XMLSyntaxError as error:
        raise TooComplex("The content cannot be read as HTML.") from error
    for table in root.iter("table"):
        if columns_in(rows_of(table)) > MAX_COLUMNS:
            raise TooComplex(f"A table has more than {MAX_COLUMNS} columns.")
    for element in list(root.iter(*LISTS)):
        _settle_items(element)
    for element in list(root.iter("li")):
        _settle_item(element)
    _tell_lists(root)
    _fill_blanks(root)
    for table in root.iter("table"):
        columns.settle(table)
    return root


class _Builder:
    """Takes the parser's events and builds the tree of what is admitted."""

    def __init__(self):
        self.root = self.current = etree.Element("div")
        self.open = []  # for every open element of the source: whether it is in the tree
        self.texts = []
        self.dropped = 0
        self.count = 0

    def start(self, tag, attributes):
        self.count += 1
        if len(self.open) >= MAX_DEPTH:
            raise TooComplex("The content is nested too deeply.")
        if self.count > MAX_ELEMENTS:
            raise TooComplex("The content has too many elements.")
        if tag in _DROPPED:
            self.dropped += 1
        admitted = self._admits(tag)
        self.open.append(admitted)
        if admitted:
            self._put_text()
            self.current = etree.SubElement(self.current, tag, _attributes(tag, attributes))

    def _admits(self, tag):
        if self.dropped:
            return False
        if tag in _PARENTS:
            return self.current.tag in _PARENTS[tag]
        return tag in BLOCKS or tag in INLINES

    def end(self, tag):
        if tag in _DROPPED:
            self.dropped -= 1
        if self.open.pop():
            self._put_text()
            self.current = self.current.getparent()

    def data(self, text):
        if not self.dropped and self.current.tag not in _NO_TEXT:
            self.texts.append(clean_text(text))

    def _put_text(self):
        text, self.texts = "".join(self.texts), []
        if text:
            _append_text(self.current, text)

    def comment(self, text):
        """A comment is nothing on paper."""

    def pi(self, target, data=None):
        """A processing instruction is nothing on paper."""

    def close(self):
        self._put_text()
        return self.root


def _attributes(tag, given):
    kept = {}
    classes = [name for name in given.get("class", "").split() if name in CLASSES]
    if classes:
        kept["class"] = " ".join(classes)
    if tag == "a" and LINK.fullmatch(given.get("href", "")):
        kept["href"] = given["href"]
    if tag in ("td", "th"):
        kept |= _span(given, "colspan", MAX_COLUMNS) | _span(given, "rowspan", MAX_ROWS_SPANNED)
    if tag in ("col", "colgroup"):
        kept |= _span(given, "span", MAX_COLUMNS)
    if tag == "ol" and re.fullmatch(r"\d{1,4}", given.get("start", "")):
        kept["start"] = given["start"]
    style = read_style(given.get("style", ""))
    if style:
        kept["style"] = declarations(style)
    return kept


def _span(given, name, most):
    value = given.get(name, "")
    if not re.fullmatch(r"\d{1,9}", value) or int(value) < 2:
        return {}
    if int(value) > most:
        raise TooComplex(f"A {name} of {value} is too large.")
    return {name: value}


def _settle_items(element):
    """A list has items only: what else stands in it becomes part of the item before, or an item of its own."""
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


def _item(element, item):
    """The item that takes what a list should not hold: the last one, or a new one in front."""
    if item is None:
        item = etree.Element("li")
        element.insert(0, item)
    return item


def _append_text(element, text):
    """Add text at the end of an element."""
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _settle_item(item):
    """An item outside a list is a block; one inside begins with the paragraph or heading that takes its number."""
    if item.getparent() is None or item.getparent().tag not in LISTS:
        item.tag = "div"
        return
    first = None if (item.text or "").strip() or not len(item) else item[0]
    if first is not None and (first.tag == "p" or first.tag in HEADINGS):
        return
    paragraph = etree.Element("p")
    paragraph.text, item.text = item.text, None
    while len(item) and item[0].tag in INLINES:
        paragraph.append(item[0])
    item.insert(0, paragraph)


def _tell_lists(root):
    for element in root.iter(*LISTS):
        above = _list_above(element)
        clauses_above, level_above = list_level(above) if above is not None else (False, 0)
        clauses = element.tag == "ol" and (clauses_above or has_class(element, "clauses"))
        continued = above is not None and above.tag == element.tag and clauses_above == clauses
        level = level_above + 1 if continued else 1
        if sum(1 for _ in element.iterancestors(*LISTS)) >= LIST_LEVELS:
            raise TooComplex(f"Lists are nested more than {LIST_LEVELS} deep.")
        element.set("class", f"clauses level-{level}" if clauses else f"plain-{level}")
        for item in element:
            item[0].set("class", f"{item[0].get('class', '')} numbered".strip())


def _list_above(element):
    """The list whose item directly holds this one, or None."""
    item = element.getparent()
    return item.getparent() if item is not None and item.tag == "li" else None


def _fill_blanks(root):
    for element in root.iter("span"):
        if has_class(element, "blank") and not "".join(element.itertext()).strip():
            for child in list(element):
                element.remove(child)
            element.text = BLANK


def classes_of(element):
    """The classes of an element, in order."""
    return element.get("class", "").split()


def has_class(element, name):
    """Whether an element has a class."""
    return name in classes_of(element)


def list_level(element):
    """(whether it numbers clauses, level from 1) of a list of the tree."""
    names = classes_of(element)
    return "clauses" in names, int(names[-1].rpartition("-")[2])
