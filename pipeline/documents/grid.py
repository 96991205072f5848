"""The grid of a table: at which column each cell stands, cells that span rows and columns included."""

from itertools import groupby
from typing import NamedTuple

from lxml import etree

from pipeline.documents.document import TooComplex
from pipeline.documents.subset import GROUPS, MAX_COLUMNS


class Cell(NamedTuple):
    """A cell at its column of the grid; `continued` stands below a cell that spans rows."""

    element: etree._Element
    column: int
    columns: int
    opens: bool = False
    continued: bool = False


class Row(NamedTuple):
    """A row: its cells from left to right, and whether it heads the table."""

    cells: list[Cell]
    heads: bool


def rows_of(table: etree._Element) -> list[Row]:
    """The Rows of a table, those of its head first; TooComplex when it is too wide."""
    head: list[Row] = []
    rest: list[Row] = []
    for tag, members in groupby(table, lambda child: child.tag):
        if tag == "tr":  # rows without a group around them are one
            rest += _group_rows(list(members), heads=False)
        elif tag in GROUPS:
            for group in members:
                (head if tag == "thead" else rest).extend(_group_rows(list(group), heads=tag == "thead"))
    return head + rest


def _group_rows(elements: list[etree._Element], heads: bool) -> list[Row]:
    """The Rows of a row group; a cell spans no further than its group."""
    rows: list[Row] = []
    spanning: dict[int, tuple[Cell, int]] = {}  # column: (Cell above, rows it still spans)
    for position, element in enumerate(elements):
        cells: list[Cell] = []
        column, own = 0, list(element.iterchildren("td", "th"))
        last = max(spanning, default=-1)
        while own or column <= last:
            if column in spanning:
                above, left = spanning.pop(column)
                if left > 1:
                    spanning[column] = above, left - 1
                cells.append(above._replace(opens=False, continued=True))
            elif own:
                cells.append(_place_cell(own.pop(0), column, spanning, len(elements) - position))
            else:
                column += 1
                continue
            column += cells[-1].columns
        if cells:
            rows.append(Row(cells, heads))
    return rows


def _place_cell(element: etree._Element, column: int, spanning: dict[int, tuple[Cell, int]], rows_left: int) -> Cell:
    columns = int(element.get("colspan", 1))
    for taken in range(column + 1, column + columns):
        if taken in spanning:  # a cell from above is in the way
            columns = taken - column
            break
    # At once: cells that span rows push those of the next row further and further out.
    if column + columns > MAX_COLUMNS:
        raise TooComplex(f"A table has more than {MAX_COLUMNS} columns.")
    span = min(int(element.get("rowspan", 1)), rows_left)
    cell = Cell(element, column, columns, opens=span > 1)
    if span > 1:
        spanning[column] = cell, span - 1
    return cell


def columns_in(rows: list[Row]) -> int:
    """How many columns the Rows of a table have."""
    return max((cell.column + cell.columns for row in rows for cell in row.cells), default=0)
