"""Attributes of a contract's HTML: the few that mean something, each with the values that it may have."""

import re

from lxml import etree

from pipeline.documents.styles import LINK

CLASSES = frozenset(["clauses", "page-break", "schedule", "signatures", "blank", "money", "definition", "title"])
BREAK = re.compile("auto|always|avoid|left|right|page|avoid-page")
STYLES = {
    "text-align": re.compile("left|right|center|justify|start|end"),
    "vertical-align": re.compile("top|middle|bottom|baseline|sub|super"),
    "width": re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?(px|pt|pc|cm|mm|in|em|%)"),
    "font-weight": re.compile("normal|bold|bolder|lighter|[1-9]00"),
    "font-style": re.compile("normal|italic|oblique"),
    "text-decoration": re.compile("none|(underline|line-through)( (underline|line-through))?"),
    **dict.fromkeys(["page-break-before", "page-break-after", "break-before", "break-after"], BREAK),
}
# How older editors write a style.
PRESENTATIONAL = {"align": "text-align", "valign": "vertical-align", "width": "width"}
# More columns than this fit on no page; the bound is that of HTML.
COUNT = re.compile("[1-9][0-9]{0,2}")
START = re.compile("[0-9]{1,5}")
# Enough to name a tag, and nothing that would have to be escaped.
EXPRESSION = re.compile(r"[^\w .|:-]")


def clean_attributes(element: etree._Element, allowed: set[str]) -> None:
    """Leave an element the allowed attributes with sound values; its styles in order of their names."""
    # Not dict(element.attrib), which looks each name up along the list of all.
    given = dict(element.items())
    element.attrib.clear()
    styles = _styles(element.tag, given)
    if styles and "style" in allowed:
        element.set("style", ";".join(f"{name}:{value}" for name, value in sorted(styles.items())))
    for name in sorted(allowed & given.keys() - {"style"}):
        value = _value(name, given[name])
        if value:
            element.set(name, value)


def _value(name: str, value: str) -> str:
    """The sound part of an attribute's value; empty when nothing of it is."""
    if name == "class":
        return " ".join(sorted(CLASSES.intersection(value.split())))
    if name in ("data-each", "data-if"):
        return EXPRESSION.sub("", value).strip()[:100] or "?"
    value = value.strip()
    if name == "href":
        return value if LINK.fullmatch(value) else ""
    form = START if name == "start" else COUNT
    return value if form.fullmatch(value) and value.isascii() else ""


def _styles(tag: str, given: dict[str, str]) -> dict[str, str]:
    """The sound declarations of an element: those of `style`, and what older attributes say beside them."""
    styles = {}
    for old, name in PRESENTATIONAL.items():
        if old in given and (old != "width" or tag in ("td", "th", "col", "table")):
            value = given[old].strip().lower()
            _declare(styles, name, value + "px" * (old == "width" and value.isdigit()))
    for declaration in given.get("style", "")[:5000].split(";"):
        name, _, value = declaration.partition(":")
        _declare(styles, name.strip().lower(), value.removesuffix("!important").strip().lower())
    return styles


def _declare(styles: dict[str, str], name: str, value: str) -> None:
    if name == "text-decoration-line":
        name = "text-decoration"
    if name == "text-decoration":
        # Browsers add the style and the colour of the line.
        value = " ".join(word for word in value.split() if word in ("none", "underline", "line-through"))
    if name in STYLES and STYLES[name].fullmatch(value):
        styles[name] = value
