"""Writes a sheet of a workbook as CSV."""

import csv
import io
from collections import defaultdict
from datetime import date, datetime, time
from typing import BinaryIO

import python_calamine

# Filled rows above the header, and one more than an import may have.
MOST_ROWS = 100_100
# Characters of a sheet, and of the names of all sheets.
LONGEST, LONGEST_NAMES = 64 * 1024 * 1024, 1_000
MISSING = "no sheet: "


def inspect(file: BinaryIO, wanted: str) -> str:
    """The cells as they are shown, or MISSING with the names of the sheets; raises for a damaged workbook."""
    workbook = python_calamine.load_workbook(file)
    sheets = [sheet for sheet in workbook.sheets_metadata if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet]
    names = [sheet.name for sheet in sheets]
    if not names or (wanted and wanted not in names):
        return MISSING + ", ".join(names)[:LONGEST_NAMES]
    visible = [sheet.name for sheet in sheets if sheet.visible == python_calamine.SheetVisibleEnum.Visible]
    sheet = workbook.get_sheet_by_name(wanted or (visible or names)[0])
    text = io.StringIO()
    writer = csv.writer(text)
    # Rows begin with the first filled column.
    first = sheet.start[1] if sheet.start else 0
    # {first row: {column: last row}} of cells that are merged with those below.
    merged: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (top, place), (last, _place) in sheet.merged_cell_ranges or ():
        merged[top][place - first] = last
    # {column: (last row, cell)}
    above: dict[int, tuple[int, str]] = {}
    filled = 0
    for number, row in enumerate(sheet.iter_rows()):
        if row.count("") == len(row) and all(last < number for last, _cell in above.values()):
            writer.writerow(())
            continue
        filled += 1
        cells = [shown(cell) for cell in row]
        for place, (last, cell) in above.items():
            if number <= last:
                cells[place] = cell
        below = merged.get(number, {}).items()
        above |= {place: (last, cells[place]) for place, last in below if 0 <= place < len(cells)}
        writer.writerow(cells)
        if filled > MOST_ROWS or text.tell() > LONGEST:
            break
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
