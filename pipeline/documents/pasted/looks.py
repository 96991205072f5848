"""Titles and the borders of tables, as attributes and names of styles give them."""

from lxml import etree

from pipeline.documents.pasted.reading import add_style, classes, declared, text_of
from pipeline.documents.styles import in_points

_TITLES = frozenset(["msotitle", "msotitlecxspfirst", "msotitlecxspmiddle", "msotitlecxsplast"])
# Google Docs pastes a title as a paragraph of 26 points.
_TITLE_SIZE = 20.0
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def settle(body: etree._Element) -> None:
    _name_titles(body)
    for table in body.iter("table"):
        _draw_borders(table)


def _name_titles(body: etree._Element) -> None:
    can_be_first = True
    for element in body.iter("p", *_HEADINGS):
        if element.tag in _HEADINGS:
            can_be_first = False
        elif _TITLES.intersection(classes(element)) or (can_be_first and _is_large(element)):
            can_be_first = False
            element.tag = "h1"
            element.set("class", "title")


def _is_large(paragraph: etree._Element) -> bool:
    """Whether all text has at least the size of a title."""
    if paragraph.getparent().tag in ("li", "td", "th") or not text_of(paragraph).strip():
        return False
    sizes = [_size(element) for element in (paragraph, *paragraph.iterdescendants("span", "font"))]
    given = [size for size in sizes if size]
    return bool(given) and min(given) >= _TITLE_SIZE and not (paragraph.text or "").strip()


def _size(element: etree._Element) -> float | None:
    return in_points(declared(element).get("font-size", ""))


def _draw_borders(table: etree._Element) -> None:
    """Writes the attribute `border` as a style: around the table if 0, else around cells without a border."""
    width = table.get("border", "")
    has_own = "border" in table.get("style", "")
    if width.isdecimal() and not int(width) and not has_own:
        add_style(table, "border:none")
    elif width.isdecimal() and int(width):
        cells = [cell for cell in table.iter("td", "th")]
        if has_own or any("border" in cell.get("style", "") for cell in cells):
            for cell in cells:
                add_style(cell, "border:solid")
