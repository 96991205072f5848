"""Writes a sheet of a workbook as CSV."""

import csv
import io
from collections import defaultdict
from datetime import date, datetime, time
from typing import BinaryIO

import python_calamine

# Rows above the header, and one more than an import may have.
MOST_ROWS = 100_100
MISSING = "no sheet: "


def inspect(file: BinaryIO, wanted: str) -> str:
    """The cells as they are shown, or MISSING with the names of the sheets; raises for a damaged workbook."""
    workbook = python_calamine.load_workbook(file)
    names = workbook.sheet_names
    if not names or (wanted and wanted not in names):
        return MISSING + ", ".join(names)
    sheet = workbook.get_sheet_by_name(wanted or names[0])
    text = io.StringIO()
    writer = csv.writer(text)
    # {first row: {column: last row}} of cells that are merged with those below.
    merged: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (top, place), (last, _place) in sheet.merged_cell_ranges or ():
        merged[top][place] = last
    # {column: (last row, cell)}
    above: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(sheet.iter_rows()):
        if number > MOST_ROWS:
            break
        cells = [shown(cell) for cell in row]
        for place, (last, cell) in above.items():
            if number <= last and place < len(cells):
                cells[place] = cell
        above |= {place: (last, cells[place]) for place, last in merged.get(number, {}).items()}
        writer.writerow(cells)
    return text.getvalue()


def shown(cell: object) -> str:
    """A cell as text: whole numbers without a point, dates and times in ISO 8601."""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        if cell.time() == time():
            return cell.date().isoformat()
        # Zeros would be a moment that the workbook does not know.
        return cell.isoformat(" ").rstrip("0") if cell.microsecond else cell.isoformat(" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(cell)
