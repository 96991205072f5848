"""Borders of cells, tables and paragraphs, as styles and as both renderers draw them."""

from collections.abc import Iterator

from lxml import etree

from pipeline.documents.layout.grid import columns_in, rows_of
from pipeline.documents.styles import SIDES, style_of, written

OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
# The grey line of tables without borders of their own.
GRID = "grid"
_FRAMED = ("p", "h1", "h2", "h3", "h4", "table", "div", "blockquote")
_NONE = dict.fromkeys(SIDES, "none")


def of(element: etree._Element) -> dict[str, str]:
    """{side: line} as written on an element."""
    return {side: line for side in SIDES if (line := style_of(element).get(f"border-{side}"))}


def settle(root: etree._Element) -> None:
    """Writes every side on each cell of the tables that say so, and the borders of blocks on their paragraphs."""
    for table in root.iter("table"):
        _settle_table(table)
    for block in root.iter("div", "blockquote"):
        _settle_block(block)


def _settle_table(table: etree._Element) -> None:
    rows, around = rows_of(table), of(table)
    cells = [(place, cell) for place, row in enumerate(rows) for cell in row.cells]
    if not around and not any(of(cell.element) for _, cell in cells):
        return
    is_open = bool(around) or "signatures" in table.get("class", "").split()
    otherwise = _NONE if is_open else dict.fromkeys(SIDES, GRID)
    lines = {cell.element: otherwise | of(cell.element) for _, cell in cells}
    grid = {(place, cell.column + more): cell.element for place, cell in cells for more in range(cell.columns)}
    last = len(rows) - 1, columns_in(rows) - 1
    for (row, column), cell in grid.items():
        _join(lines, cell, grid.get((row, column + 1)), "right")
        _join(lines, cell, grid.get((row + 1, column)), "bottom")
        at = {"top": not row, "bottom": row == last[0], "left": not column, "right": column == last[1]}
        for side in (side for side, line in around.items() if at[side] and line != "none"):
            lines[cell] = lines[cell] | {side: around[side]}
    _write(table, {})
    for cell, sides in lines.items():
        _write(cell, sides)


def _join(lines: dict[etree._Element, dict[str, str]], one: etree._Element, other: etree._Element, side: str) -> None:
    """Gives the line between two cells to both."""
    if other is None or other is one:
        return
    both = (lines[one][side], lines[other][OPPOSITE[side]])
    line = next((line for line in both if line not in ("none", GRID)), "none" if "none" in both else GRID)
    lines[one], lines[other] = lines[one] | {side: line}, lines[other] | {OPPOSITE[side]: line}


def _settle_block(block: etree._Element) -> None:
    """Moves the border of a block to its paragraphs."""
    sides = {side: line for side, line in of(block).items() if line != "none"}
    inner = [child for child in block if child.tag in _FRAMED]
    if sides and inner:
        _write(block, {})
        for child in inner:
            ends = {"top": child is inner[0], "bottom": child is inner[-1]}
            _write(child, of(child) | {side: line for side, line in sides.items() if ends.get(side, True)})


def _write(element: etree._Element, sides: dict[str, str]) -> None:
    style = {name: value for name, value in style_of(element).items() if not name.startswith("border-")}
    style |= {f"border-{side}": line for side, line in sides.items()}
    if style:
        element.set("style", written(style))
    else:
        element.attrib.pop("style", None)


def drawn(line: str) -> str:
    """A line in CSS."""
    if line == GRID:
        return ".5pt solid #b4b4b4"
    return "none" if line == "none" else f"{'1.5pt' if line == 'double' else '.5pt'} {line} #111"


def styled(element: etree._Element) -> Iterator[tuple[str, str]]:
    """The properties of an element's style with its borders as CSS draws them."""
    for name, value in style_of(element).items():
        yield name, drawn(value) if name.startswith("border-") else value
