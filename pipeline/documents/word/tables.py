"""Tables: the grid of merged cells, column widths from what the cells hold, repeated header rows."""

from itertools import groupby
from typing import Any, NamedTuple

from pipeline.documents import content as contents
from pipeline.documents.document import TooComplex
from pipeline.documents.styles import style_of
from pipeline.documents.word.xml import add

# Rough widths of the letters of a cell and of its padding, in twips.
LETTER, PADDING = 98, 240
_VERTICAL = {"middle": "center", "bottom": "bottom"}


class Cell(NamedTuple):
    """A cell at its column of the grid; `continued` stands below a cell that spans rows."""

    element: Any
    column: int
    columns: int
    opens: bool = False
    continued: bool = False


class Row(NamedTuple):
    """A row: its cells from left to right, and whether it heads the table."""

    cells: list
    heads: bool


def write(table, place, flow):
    """Append a table of the content to a place; `flow` writes what its cells hold."""
    for caption in table.iterchildren("caption"):
        flow.caption(caption, place)
    rows = _rows(table)
    count = max((cell.column + cell.columns for row in rows for cell in row.cells), default=0)
    if not count:
        return
    if count > contents.MAX_COLUMNS:
        raise TooComplex(f"A table has more than {contents.MAX_COLUMNS} columns.")
    total = _length(style_of(table).get("width"), place.width - place.left - place.right)
    widths = _widths(table, rows, count, total or place.width - place.left - place.right)
    signatures = contents.has_class(table, "signatures")
    element = add(place.parent, "tbl")
    _properties(element, widths, place.left, signatures)
    inner = place.inside(table)._replace(
        style="SignatureText" if signatures else "TableText", left=0, right=0, align=style_of(table).get("text-align")
    )
    for position, row in enumerate(rows):
        keep = row.heads or (signatures and position < len(rows) - 1)
        _write_row(add(element, "tr"), row, widths, inner._replace(keep_next=keep), flow)


def _properties(element, widths, left, signatures):
    properties = add(element, "tblPr")
    add(properties, "tblStyle", val="SignatureTable" if signatures else "ContractTable")
    add(properties, "tblW", w=sum(widths), type="dxa")
    add(properties, "tblInd", w=left, type="dxa")
    add(properties, "tblLayout", type="fixed")
    grid = add(element, "tblGrid")
    for width in widths:
        add(grid, "gridCol", w=width)


def _write_row(element, row, widths, place, flow):
    properties = add(element, "trPr")
    end = max((cell.column + cell.columns for cell in row.cells), default=0)
    if end < len(widths):
        add(properties, "gridAfter", val=len(widths) - end)
    add(properties, "cantSplit")
    if row.heads:
        add(properties, "tblHeader")
    for cell in row.cells:
        _write_cell(add(element, "tc"), cell, widths, place, flow)


def _write_cell(element, cell, widths, place, flow):
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
    flow.cell(cell.element, inner)


def _rows(table):
    """The Rows of a table, those of its head first."""
    head, rest = [], []
    for tag, members in groupby(table, lambda child: child.tag):
        if tag == "tr":  # rows without a group around them are one
            rest += _group_rows(list(members), heads=False)
        elif tag in contents.GROUPS:
            for group in members:
                (head if tag == "thead" else rest).extend(_group_rows(list(group), heads=tag == "thead"))
    return head + rest


def _group_rows(elements, heads):
    """The Rows of a row group; a cell spans no further than its group."""
    rows, spanning = [], {}  # column: (Cell above, rows it still spans)
    for position, element in enumerate(elements):
        cells, column, own = [], 0, list(element.iterchildren("td", "th"))
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


def _place_cell(element, column, spanning, rows_left):
    columns = int(element.get("colspan", 1))
    for taken in range(column + 1, column + columns):
        if taken in spanning:  # a cell from above is in the way
            columns = taken - column
            break
    span = min(int(element.get("rowspan", 1)), rows_left)
    cell = Cell(element, column, columns, opens=span > 1)
    if span > 1:
        spanning[column] = cell, span - 1
    return cell


def _widths(table, rows, count, total):
    """The width of every column, in twips, together `total`."""
    least, wanted, given = [PADDING] * count, [PADDING] * count, _given(table, total)
    for row in rows:
        for cell in row.cells:
            if cell.columns == 1 and not cell.continued:
                narrow, wide = _cell_widths(cell.element)
                least[cell.column] = max(least[cell.column], narrow)
                wanted[cell.column] = max(wanted[cell.column], wide)
                if width := _length(style_of(cell.element).get("width"), total):
                    given.setdefault(cell.column, width)
    for column, width in given.items():
        if column < count:
            least[column] = wanted[column] = max(width, least[column])
    return _share(least, wanted, total, set(given))


def _share(least, wanted, total, fixed):
    """Widths between least and wanted, or beyond, that add up to the total; fixed columns give and take last."""
    count = len(least)
    if sum(wanted) <= total:
        free = [wanted[i] if i not in fixed or len(fixed) >= count else 0 for i in range(count)]
        grown, rest = wanted, total - sum(wanted)
    elif sum(least) <= total:
        free = [wanted[i] - least[i] for i in range(count)]
        grown, rest = least, total - sum(least)
    else:
        free, grown, rest = least, [0] * count, total
    whole = sum(free) or 1
    widths = [int(width + rest * share / whole) for width, share in zip(grown, free, strict=True)]
    widths[-1] += total - sum(widths)
    return [max(1, width) for width in widths]


def _given(table, total):
    """{column: twips} of the widths that `col` and `colgroup` set."""
    given, column = {}, 0
    for element in table.iter("colgroup", "col"):
        if element.tag == "colgroup" and element.find("col") is not None:
            continue
        width = _length(style_of(element).get("width"), total)
        for _ in range(int(element.get("span", 1))):
            if width:
                given[column] = width
            column += 1
    return given


def _cell_widths(element):
    """(narrowest, widest) of a cell: its longest word, and its longest line up to half a page."""
    text = " ".join(element.itertext())
    longest = max((len(word) for word in text.split()), default=0)
    whole = len(" ".join(text.split()))
    if contents.has_class(element, "money"):
        longest = whole
    return min(longest, 28) * LETTER + PADDING, min(whole, 48) * LETTER + PADDING


def _length(value, total):
    """A style's width in twips, None without one; percents are of the total, and nothing is wider than it."""
    if not value:
        return None
    length = float(value[:-1]) / 100 * total if value.endswith("%") else float(value[:-2]) * 20
    return int(min(length, total)) or None
