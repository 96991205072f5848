"""Writes content as Word paragraphs and tables."""

from collections.abc import Iterable

from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents.layout import borders
from pipeline.documents.pictures import words
from pipeline.documents.styles import style_of
from pipeline.documents.subset import INLINES, LISTS, MARKED
from pipeline.documents.word import tables
from pipeline.documents.word.containers import Container
from pipeline.documents.word.inline import BREAK, ParagraphPieces, bookmark, write_runs
from pipeline.documents.word.numbering import ListNumber, Numbering
from pipeline.documents.word.pictures import Pictures
from pipeline.documents.word.toc import write_contents
from pipeline.documents.word.xml import add, draw_borders

HEADING_STYLES = {"h1": "Heading1", "h2": "Heading2", "h3": "Heading3", "h4": "Heading4"}
QUOTE_INDENT = 560


class BlockWriter:
    """Writes a part of the content."""

    def __init__(self, numbering: Numbering, pictures: Pictures) -> None:
        self.numbering, self.pictures = numbering, pictures
        self.line = ParagraphPieces()
        self.number: ListNumber | None = None  # of the next item's first paragraph
        self.new_page = False
        self.target: str | None = None  # id of the next paragraph's block

    def write(self, elements: Iterable[etree._Element], place: Container) -> None:
        for element in elements:
            self._element(element, place)
            self.line.text(element.tail, place.form)
        self._flush(place)

    def content(self, element: etree._Element, place: Container) -> None:
        self.line.text(element.text, place.form)
        for child in element:
            self._element(child, place)
            self.line.text(child.tail, place.form)

    def cell(self, element: etree._Element, place: Container) -> None:
        """Appends a table cell's content, at least an empty paragraph."""
        before = len(place.parent)
        self.content(element, place)
        self._flush(place)
        if len(place.parent) == before:
            self._paragraph(place)

    def _element(self, element: etree._Element, place: Container) -> None:
        if element.tag == "br":
            self.line.pieces.append(BREAK)
        elif element.tag == "img":
            self._picture(element, place)
        elif element.tag in INLINES:
            inner = place._replace(form=place.form.inside(element))
            self.content(element, inner)
            if contents.has_class(element, "marker"):
                self.line.tab(inner.form)
        else:
            self._flush(place)
            style = style_of(element)
            self.new_page |= style.get("break-before") == "page" or contents.has_class(element, "schedule")
            self._block(element, place, style.get("break-after") == "avoid")
            self.new_page |= style.get("break-after") == "page" or contents.has_class(element, "page-break")

    def _picture(self, element: etree._Element, place: Container) -> None:
        run = self.pictures.run(element, place.width - place.left - place.right)
        if run is None:
            self.line.text(words(element), place.form)
        else:
            self.line.picture(run, place.form)

    def _block(self, element: etree._Element, place: Container, keep_next: bool) -> None:
        tag = element.tag
        self.target = element.get("id", self.target)
        inner = place.inside(element)._replace(keep_next=place.keep_next or keep_next)
        if tag == "hr":
            self._rule(place)
        elif tag == "table":
            self._table(element, place)
        elif tag in LISTS:
            self._list(element, inner)
        elif contents.has_class(element, "contents"):
            write_contents(element, place, self._paragraph)
        else:
            if tag in HEADING_STYLES:
                style = "Title" if contents.has_class(element, "title") else HEADING_STYLES[tag]
                inner = inner._replace(style=style)
            elif tag == "blockquote":
                inner = inner._replace(left=place.left + QUOTE_INDENT, right=place.right + QUOTE_INDENT, style="Quote")
            inner = _marked(element, inner)._replace(borders=tuple(borders.of(element).items()))
            self.content(element, inner)
            self._flush(inner, numbered=tag == "p" or tag in HEADING_STYLES)

    def _list(self, element: etree._Element, place: Container) -> None:
        number = self.numbering.of(element)
        inner = place._replace(left=place.left + number.indent)
        for item in element:
            self.number = number
            self.content(item, inner.inside(item))
            self._flush(inner)

    def _table(self, element: etree._Element, place: Container) -> None:
        if self.new_page or self.number:  # a table cannot start a page or carry a number
            self._paragraph(place)
        if contents.has_class(element, "signatures"):
            self._distance(place, keep_next=True)
        tables.write(element, place, self)
        self._distance(place)

    def _distance(self, place: Container, keep_next: bool = False) -> None:
        properties = add(add(place.parent, "p"), "pPr")
        add(properties, "pStyle", val="AfterTable")
        if keep_next:
            add(properties, "keepNext")

    def caption(self, element: etree._Element, place: Container) -> None:
        inner = place.inside(element)._replace(style="Caption")
        self.content(element, inner)
        self._flush(inner)

    def _rule(self, place: Container) -> None:
        properties = self._paragraph(place).find("{*}pPr")
        borders = add(properties, "pBdr")
        add(borders, "bottom", val="single", sz=6, space=1, color="888888")
        following = [child for child in properties if child.tag.endswith(("}spacing", "}ind", "}jc"))]
        properties.extend(following)

    def _flush(self, place: Container, numbered: bool = False) -> None:
        """Ends the paragraph; only a numbered one may be empty."""
        pieces = self.line.take()
        if pieces or (numbered and self.number):
            paragraph = self._paragraph(place)
            target, self.target = self.target, None
            if target:
                add(paragraph, "bookmarkStart", id=0, name=bookmark(target))
            write_runs(paragraph, pieces, place.direction)
            if target:
                add(paragraph, "bookmarkEnd", id=0)

    def _paragraph(self, place: Container) -> etree._Element:
        number, self.number = self.number, None
        new_page, self.new_page = self.new_page, False
        paragraph = add(place.parent, "p")
        properties = add(paragraph, "pPr")
        style = place.style or (number.style if number else "ListParagraph" if place.left else None)
        if style:
            add(properties, "pStyle", val=style)
        if place.keep_next:
            add(properties, "keepNext")
        if new_page:
            add(properties, "pageBreakBefore")
        if number:
            element = add(properties, "numPr")
            add(element, "ilvl", val=number.level)
            add(element, "numId", val=number.num_id)
        draw_borders(properties, "pBdr", place.borders)
        if place.ragged:
            add(properties, "suppressAutoHyphens")
        if place.turned:
            add(properties, "bidi", val=int(place.direction == "rtl"))
        if new_page:  # no space at the top of a page
            add(properties, "spacing", before=0)
        _indent(properties, place, number)
        if place.align or place.ragged:
            add(properties, "jc", val=place.align or "left")
        return paragraph


def _marked(element: etree._Element, place: Container) -> Container:
    """The place of a paragraph with a marker of its own, as in contract.css."""
    depth = next((MARKED.index(name) for name in element.get("class", "").split() if name in MARKED), None)
    if depth is None:
        return place
    has_marker = element.find("span[@class='marker']") is not None
    return place._replace(left=place.left + 720 + 560 * depth, hanging=720 if has_marker else 0)


def _indent(properties: etree._Element, place: Container, number: ListNumber | None) -> None:
    if number or place.left or place.right:
        distance = number.hanging if number else place.hanging
        hanging = {"hanging": distance} if distance else {}
        add(properties, "ind", left=place.left, right=place.right, **hanging)
