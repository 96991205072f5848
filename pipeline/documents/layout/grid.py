"""The grid of a table, with spans resolved."""

from itertools import groupby
from typing import NamedTuple

from lxml import etree

from pipeline.documents.document import TooComplex
from pipeline.documents.subset import GROUPS, MAX_COLUMNS


class Cell(NamedTuple):
    """A cell at its column; `opens` begins a row span, `continued` lies below."""

    element: etree._Element
    column: int
    columns: int
    opens: bool = False
    continued: bool = False


class GridRow(NamedTuple):
    """A row; `heads` marks the table's head."""

    cells: list[Cell]
    heads: bool


def rows_of(table: etree._Element) -> list[GridRow]:
    """The Rows, head first; TooComplex above MAX_COLUMNS."""
    head: list[GridRow] = []
    rest: list[GridRow] = []
    for tag, members in groupby(table, lambda child: child.tag):
        if tag == "tr":  # rows without a group form one
            rest += _group_rows(list(members), heads=False)
        elif tag in GROUPS:
            for group in members:
                (head if tag == "thead" else rest).extend(_group_rows(list(group), heads=tag == "thead"))
    return head + rest


def _group_rows(elements: list[etree._Element], heads: bool) -> list[GridRow]:
    rows: list[GridRow] = []
    spanning: dict[int, tuple[Cell, int]] = {}  # {column: (cell above, remaining rows)}
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
            rows.append(GridRow(cells, heads))
    return rows


def _place_cell(element: etree._Element, column: int, spanning: dict[int, tuple[Cell, int]], rows_left: int) -> Cell:
    columns = int(element.get("colspan", 1))
    for taken in range(column + 1, column + columns):
        if taken in spanning:  # blocked by a cell above
            columns = taken - column
            break
    # Checked per cell, since row spans push later cells ever further.
    if column + columns > MAX_COLUMNS:
        raise TooComplex(f"A table has more than {MAX_COLUMNS} columns.")
    span = min(int(element.get("rowspan", 1)), rows_left)
    cell = Cell(element, column, columns, opens=span > 1)
    if span > 1:
        spanning[column] = cell, span - 1
    return cell


def columns_in(rows: list[GridRow]) -> int:
    return max((cell.column + cell.columns for row in rows for cell in row.cells), default=0)
