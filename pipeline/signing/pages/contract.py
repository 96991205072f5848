"""A contract's content as accessible HTML, with the clause numbers of its PDF."""

from collections.abc import Mapping
from typing import Any

from lxml import etree
from markupsafe import Markup

from pipeline.documents.clauses import label_of
from pipeline.documents.content import parse
from pipeline.documents.layout.margins import SIDES, parts
from pipeline.documents.pictures import NAMED
from pipeline.documents.styles import style_of
from pipeline.documents.subset import HEADINGS, PICTURE

KEPT = frozenset(["alt", "class", "colspan", "dir", "href", "lang", "rowspan"])
# Their value becomes a class, because the policy forbids inline styles.
STYLES = frozenset(["font-style", "font-weight", "text-align", "text-decoration", "vertical-align"])
# Keeps the contract's ids apart from the page's.
PREFIX = "c-"
# Below the page's headings.
HIGHEST = 3
TABLES = etree.XPath(".//table[not(ancestor::table)]")


def readable(content: str, language: str, direction: str, table: str, pictures: str) -> Markup:
    """The HTML of a contract; `table` names each table for assistive technology, `pictures` begins their addresses."""
    root = parse(content, language)
    _number(root)
    _lower_headings(root)
    addresses = {image: f"{pictures}{image.get(PICTURE)}" for image in NAMED(root)}
    for element in root.iter():
        if element.tag == "th" and not "".join(element.itertext()).strip():
            element.tag = "td"
        _settle_attributes(element)
    for image, address in addresses.items():
        image.set("src", address)
    for element in TABLES(root):
        _enclose(element, table)
    root.attrib.update({"class": "contract", "lang": language.replace("_", "-"), "dir": direction})
    return Markup(etree.tostring(root, encoding="unicode", method="html"))


def margin(layout: Mapping[str, Any], place: str) -> list[str]:
    """The texts of each page's `header` or `footer`, with … for numbers of pages."""
    texts = (layout.get(f"{place}_{side}") or "" for side in SIDES)
    return ["".join("…" if number % 2 else part for number, part in enumerate(parts(text))) for text in texts if text]


def _number(root: etree._Element) -> None:
    for item in root.iter("li"):
        if item.getparent().tag == "ol":
            number = etree.Element("span", {"class": "number"})
            number.text, number.tail = f"{label_of(item)} ", item[0].text
            item[0].text = None
            item[0].insert(0, number)


def _lower_headings(root: etree._Element) -> None:
    used = sorted({element.tag for element in root.iter(*HEADINGS)})
    for element in root.iter(*HEADINGS):
        level = element.tag
        element.tag = f"h{HIGHEST + used.index(level)}"
        element.set("class", f"{element.get('class', '')} {level}".strip())


def _settle_attributes(element: etree._Element) -> None:
    styles = {name: value for name, value in style_of(element).items() if name in STYLES}
    names = [f"{name}-{one}" for name, value in styles.items() for one in value.split()]
    id, link = element.get("id"), element.get("href")
    for name in set(element.attrib) - KEPT:
        del element.attrib[name]
    if names:
        element.set("class", " ".join([*element.get("class", "").split(), *names]))
    if id:
        element.set("id", PREFIX + id)
    if link and link.startswith("#"):
        element.set("href", f"#{PREFIX}{link[1:]}")
    elif link:
        element.set("rel", "noreferrer noopener")


def _enclose(element: etree._Element, name: str) -> None:
    """Lets a wide table scroll by itself."""
    around = etree.Element("div", {"class": "table", "role": "group", "tabindex": "0", "aria-label": name})
    element.getparent().replace(element, around)
    around.tail, element.tail = element.tail, None
    around.append(element)
