"""Cells whose condition is false: a column without any other cell goes, else they stay empty, and rows stay aligned."""

from collections.abc import Collection

from lxml import etree

from pipeline.documents.layout.grid import GridRow, rows_of


def vacate(body: etree._Element, vacant: Collection[etree._Element]) -> None:
    """Empties the vacant cells, or removes them with their columns."""
    left = set(vacant)
    for cell in vacant:
        del cell[:]
        cell.text = None
    for table in list(body.iter("table")) if left else ():
        rows = rows_of(table)
        if any(cell.element in left for row in rows for cell in row.cells):
            _remove_columns(rows, left)


def _remove_columns(rows: list[GridRow], vacant: Collection[etree._Element]) -> None:
    """Removes the columns that have vacant cells alone, but for cells that span further ones."""
    cells = [cell for row in rows for cell in row.cells]
    taken = {cell.column for cell in cells if cell.columns == 1 and cell.element not in vacant}
    gone = {cell.column for cell in cells if cell.element in vacant and cell.columns == 1} - taken
    for cell in (cell for cell in cells if not cell.continued):
        lost = sum(1 for column in range(cell.column, cell.column + cell.columns) if column in gone)
        if lost == cell.columns:
            cell.element.drop_tree()
        elif lost:
            cell.element.set("colspan", str(cell.columns - lost))
