"""Writes tables with merged cells and repeated heads."""

from typing import Protocol

from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents.layout import borders, columns
from pipeline.documents.layout.grid import Cell, GridRow, columns_in, rows_of
from pipeline.documents.styles import style_of
from pipeline.documents.word.containers import Container
from pipeline.documents.word.xml import add, draw_borders

_VERTICAL = {"middle": "center", "bottom": "bottom"}


class CellWriter(Protocol):
    """Writes the content of cells; `target` is the id of the next paragraph's block."""

    target: str | None

    def caption(self, element: etree._Element, place: Container) -> None: ...

    def cell(self, element: etree._Element, place: Container) -> None: ...


def write(table: etree._Element, place: Container, flow: CellWriter) -> None:
    """Appends a table; `flow` writes its cells."""
    for caption in table.iterchildren("caption"):
        flow.caption(caption, place)
    rows = rows_of(table)
    if not columns_in(rows):
        return
    widths = _widths(table, place.width - place.left - place.right)
    signatures = contents.has_class(table, "signatures")
    element = add(place.parent, "tbl")
    _properties(element, widths, place, signatures)
    inner = (
        place._replace(align=None)
        .inside(table)
        ._replace(style="SignatureText" if signatures else "TableText", left=0, right=0)
    )
    for position, row in enumerate(rows):
        keep = row.heads or (signatures and position < len(rows) - 1)
        _write_row(add(element, "tr"), row, widths, inner._replace(keep_next=keep), flow)


def _properties(element: etree._Element, widths: list[int], place: Container, signatures: bool) -> None:
    properties = add(element, "tblPr")
    add(properties, "tblStyle", val="SignatureTable" if signatures else "ContractTable")
    if place.direction == "rtl":
        add(properties, "bidiVisual")
    add(properties, "tblW", w=sum(widths), type="dxa")
    add(properties, "tblInd", w=place.left, type="dxa")
    add(properties, "tblLayout", type="fixed")
    grid = add(element, "tblGrid")
    for width in widths:
        add(grid, "gridCol", w=width)


def _write_row(element: etree._Element, row: GridRow, widths: list[int], place: Container, flow: CellWriter) -> None:
    properties = add(element, "trPr")
    end = columns_in([row])
    if end < len(widths):
        add(properties, "gridAfter", val=len(widths) - end)
    if not contents.has_class(row.cells[0].element.getparent(), "tall"):
        add(properties, "cantSplit")
    if row.heads:
        add(properties, "tblHeader")
    for cell in row.cells:
        _write_cell(add(element, "tc"), cell, widths, place, flow)


def _write_cell(element: etree._Element, cell: Cell, widths: list[int], place: Container, flow: CellWriter) -> None:
    width = sum(widths[cell.column : cell.column + cell.columns])
    style = style_of(cell.element)
    properties = add(element, "tcPr")
    add(properties, "tcW", w=width, type="dxa")
    if cell.columns > 1:
        add(properties, "gridSpan", val=cell.columns)
    if cell.opens:
        add(properties, "vMerge", val="restart")
    if cell.continued:
        add(properties, "vMerge")
    draw_borders(properties, "tcBorders", borders.of(cell.element).items())
    if cell.element.tag == "th" and place.style == "TableText":
        add(properties, "shd", val="clear", color="auto", fill="EEEEF0")
    if style.get("vertical-align") in _VERTICAL:
        add(properties, "vAlign", val=_VERTICAL[style["vertical-align"]])
    if cell.continued:
        add(element, "p")
        return
    money = contents.has_class(cell.element, "money")
    inner = place.inside(cell.element)._replace(parent=element, width=width - 200)
    if money and "text-align" not in style:
        inner = inner._replace(align="right")
    flow.target = cell.element.get("id", flow.target)
    flow.cell(cell.element, inner)


def _widths(table: etree._Element, room: float) -> list[int]:
    total = columns.length(style_of(table).get("width"), room / 20) or room / 20
    return [max(1, round(share * total * 20)) for share in columns.shares_of(table)]
