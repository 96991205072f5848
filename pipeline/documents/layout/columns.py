"""Column widths of a table for PDF and Word; a column fits its longest word if possible."""

import re
import unicodedata
from collections.abc import Callable

from lxml import etree

from pipeline.documents.characters.advances import TIMES
from pipeline.documents.clauses import list_level
from pipeline.documents.layout.grid import Cell, GridRow, columns_in, rows_of
from pipeline.documents.styles import style_of, written

# Points: width of the text on A4, padding of both sides with some margin, font size.
TEXT_WIDTH, PADDING = 453.5, 12.0
POINTS = TEXT_WIDTH / 160
SIZE = 9.5
# Lines in a row that fits on a page with its table's head.
MOST_LINES = 45
BOLD = 1.1
# As in contract.css.
QUOTE, CLAUSES, LISTS = 56, (36, 0, 28), {"ol": 22, "ul": 18}
# Longer words may break, codes only beyond half of the table.
LONGEST_WORD = 20
_CODE = re.compile(r"[\u200e!-`{-~]+|[\u200e!-~]*[\d@_][\u200e!-~]*")
_OTHER, _WIDE = 500, 1000
_BREAKING = frozenset(("br", "p", "div", "li", "h1", "h2", "h3", "h4", "blockquote", "td", "th", "caption"))


def set_column_widths(table: etree._Element, line: float) -> None:
    """Gives a table one `col` per grid column, its width in percent; `line` is the width of the text in points."""
    rows = rows_of(table)
    count = columns_in(rows)
    given = _author_widths(table, count)
    if not given and "signatures" in table.get("class", "").split():
        given = dict.fromkeys(range(count), f"{100 / count}%")
    for element in list(table.iterchildren("colgroup", "col")):
        table.remove(element)
    if not count:
        return
    group = etree.Element("colgroup")
    room = _room(table, line)
    total = length(style_of(table).get("width"), room) or room
    shares = _widths(rows, count, total, given)
    for width in shares:
        etree.SubElement(group, "col", style=written({"width": f"{width * 100:.3f}%"}))
    _let_break(rows, [share * total for share in shares])
    table.insert(sum(1 for _ in table.iterchildren("caption")), group)


def _let_break(rows: list[GridRow], widths: list[float]) -> None:
    """Lets rows break that may be higher than a page, which would lose the table's head otherwise."""
    for cell in (cell for row in rows for cell in row.cells if not (row.heads or cell.continued)):
        room = max(1.0, sum(widths[cell.column : cell.column + cell.columns]) - PADDING)
        if sum(1 + text_width(line) // room for line in _lines(cell.element) if line.strip()) > MOST_LINES:
            cell.element.getparent().set("class", "tall")


def shares_of(table: etree._Element) -> list[float]:
    """The shares (0 to 1) of a settled table's columns."""
    return [float(style_of(column)["width"][:-1]) / 100 for column in table.iterfind("colgroup/col")]


def length(value: str | None, total: float) -> float | None:
    """A style's width in points, at most `total`, or None."""
    if not value:
        return None
    points = float(value[:-1]) / 100 * total if value.endswith("%") else float(value[:-2])
    return min(points, total) or None


def text_width(text: str, bold: bool = False) -> float:
    """The approximate width in points."""
    thousandths = sum(TIMES.get(char) or _advance(char) for char in text)
    return thousandths / 1000 * SIZE * (BOLD if bold else 1)


def _advance(char: str) -> float:
    if unicodedata.combining(char):
        return 0
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER


def _room(table: etree._Element, line: float) -> float:
    room = line - QUOTE * sum(1 for _ in table.iterancestors("blockquote"))
    for element in table.iterancestors("ol", "ul"):
        numbers_clauses, level = list_level(element)
        room -= CLAUSES[min(level, 3) - 1] if numbers_clauses else LISTS[element.tag]
    return max(room, PADDING)


def _author_widths(table: etree._Element, count: int) -> dict[int, str]:
    given: dict[int, str] = {}
    column = 0
    for element in table.iter("colgroup", "col"):
        if element.tag == "colgroup" and element.find("col") is not None:
            continue
        following = min(count, column + int(element.get("span", 1)))
        if width := style_of(element).get("width"):
            given |= dict.fromkeys(range(column, following), width)
        column = following
    return given


def _widths(rows: list[GridRow], count: int, total: float, given: dict[int, str]) -> list[float]:
    least, wanted = [PADDING] * count, [PADDING] * count
    for cell in (cell for row in rows for cell in row.cells if not cell.continued):
        if cell.columns == 1 and (width := style_of(cell.element).get("width")):
            given.setdefault(cell.column, width)
        narrow, wide = _needs(cell.element, total)
        _ask(least, cell, narrow)
        _ask(wanted, cell, wide)
    fixed = {column: length(width, total) for column, width in given.items()}
    widths = _shared(least, wanted, total, {column: width for column, width in fixed.items() if width})
    whole = sum(widths) or 1
    return [width / whole for width in widths]


def _ask(widths: list[float], cell: Cell, width: float) -> None:
    columns = range(cell.column, cell.column + cell.columns)
    missing = width - sum(widths[column] for column in columns)
    for column in columns:
        widths[column] += max(0, missing) / cell.columns


def _needs(element: etree._Element, total: float) -> tuple[float, float]:
    bold = element.tag == "th"
    lines = [" ".join(line.split()) for line in _lines(element)]
    wide = max((text_width(line, bold) for line in lines), default=0)
    longest = max((_least(word, bold, total) for line in lines for word in line.split(" ")), default=0)
    narrow = wide if "money" in element.get("class", "").split() else longest
    return min(narrow, total) + PADDING, min(wide, total) + PADDING


def _least(word: str, bold: bool, total: float) -> float:
    whole = text_width(word, bold)
    return whole if whole <= total / 2 and _CODE.fullmatch(word) else text_width(word[:LONGEST_WORD], bold)


def _lines(element: etree._Element) -> list[str]:
    lines = [""]
    for event, child in etree.iterwalk(element, events=("start", "end")):
        if child.tag in _BREAKING:
            lines.append("")
        if event == "start":
            lines[-1] += child.text or ""
        elif child is not element:
            lines[-1] += child.tail or ""
    return lines


def _shared(least: list[float], wanted: list[float], total: float, fixed: dict[int, float]) -> list[float]:
    """Fixed columns shrink only for the longest words of others."""
    widths, free = [0.0] * len(least), [column for column in range(len(least)) if column not in fixed]
    for column, width in fixed.items():
        widths[column] = max(width, min(least[column], total / len(least)))
    room = total - sum(widths)
    needed = sum(min(least[column], total / len(least)) for column in free)
    if free and room < needed:
        scale = max(0.0, total - needed) / (sum(widths) or 1)
        widths, room = [width * scale for width in widths], needed
    for column, width in zip(free, _fitted([least[c] for c in free], [wanted[c] for c in free], room), strict=True):
        widths[column] = width
    return widths


def _fitted(least: list[float], wanted: list[float], room: float) -> list[float]:
    if not wanted:
        return []
    if sum(wanted) <= room:
        return [width * room / sum(wanted) for width in wanted]
    if sum(least) >= room:
        # The widest shrink first.
        return _level(lambda bound: [min(width, bound) for width in least], max(least), room)
    return _level(
        lambda part: [max(narrow, wide * part) for narrow, wide in zip(least, wanted, strict=True)], 1.0, room
    )


def _level(widths_at: Callable[[float], list[float]], highest: float, room: float) -> list[float]:
    """Finds the widths that fill the room by bisection."""
    low, high = 0.0, highest
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(widths_at(middle)) < room else (low, middle)
    return widths_at(high)
