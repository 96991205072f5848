"""Ready blocks and clauses as Word elements, in the styles of the author's file."""

import copy
from collections.abc import Mapping, Sequence

from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents.authored.marks import PART, SPACE, P, R, T
from pipeline.documents.authored.package import Package, W
from pipeline.documents.authored.pictures import Pictures
from pipeline.documents.authored.styles import Styles, is_on
from pipeline.documents.clauses import label_of
from pipeline.documents.layout.grid import rows_of
from pipeline.documents.pictures import words
from pipeline.documents.subset import HEADINGS, LISTS, PICTURE

# Properties of the replaced paragraph that are not for several.
OWN = frozenset(f"{W}{name}" for name in ("sectPr", "numPr", "framePr", "pageBreakBefore", "rPr", "outlineLvl"))
# Twentieths of a point.
INDENT = 360
# {element: run property}, in the order of Word's schema.
FORMATS = {"strong": "b", "b": "b", "em": "i", "i": "i", "u": "u"}
ORDER = ("rStyle", "rFonts", "b", "bCs", "i", "iCs")
BLOCKS = HEADINGS | LISTS | {"p", "div", "table", "blockquote", "li"}


class Blocks:
    """Writes HTML blocks into one file."""

    def __init__(self, package: Package, images: Mapping[str, bytes], language: str) -> None:
        self.language = language
        self.package, self.styles = package, Styles(package)
        self.pictures = Pictures(package, images)
        self.model: etree._Element = etree.Element(P)
        self.story = package.main

    @property
    def changed(self) -> set[str]:
        return self.pictures.changed

    def written(self, element: etree._Element, model: etree._Element, story: str) -> list[etree._Element]:
        """The paragraphs and tables of a block, with the formats of the paragraph that it replaces."""
        self.model, self.story = copy.deepcopy(model), story
        if element.tag == "table":
            return [self._table(element)]
        # Completes the structure, and numbers the lists.
        return self._blocks(contents.parse("".join([element.text or "", *map(_html, element)]), self.language), 0)

    def _blocks(self, holder: etree._Element, depth: int) -> list[etree._Element]:
        made: list[etree._Element] = []
        loose = etree.Element("p")
        loose.text = holder.text
        for child in holder:
            if child.tag in BLOCKS:
                made += self._loose(loose, depth) + self._block(child, depth)
                loose = etree.Element("p")
                loose.text = child.tail
            else:
                loose.append(copy.deepcopy(child))
        return made + self._loose(loose, depth)

    def _loose(self, paragraph: etree._Element, depth: int) -> list[etree._Element]:
        has_text = "".join(paragraph.itertext()).strip() or len(paragraph)
        return [self._paragraph(paragraph, depth)] if has_text else []

    def _block(self, element: etree._Element, depth: int) -> list[etree._Element]:
        if element.tag == "table":
            return [self._table(element)]
        if element.tag in LISTS:
            return [one for item in element.iterchildren("li") for one in self._item(item, depth)]
        if element.tag in ("div", "blockquote"):
            return self._blocks(element, depth + (element.tag == "blockquote"))
        heading = self.styles.heading(int(element.tag[1])) if element.tag in HEADINGS else None
        return [self._paragraph(element, depth, heading, bold=element.tag in HEADINGS and heading is None)]

    def _item(self, item: etree._Element, depth: int) -> list[etree._Element]:
        made = self._blocks(item, depth + 1)
        label = label_of(item) if item.getparent().tag == "ol" else "•"
        if not made or made[0].tag != P:
            made.insert(0, self._paragraph(etree.Element("p"), depth + 1))
        start = 1 if made[0].find(f"{W}pPr") is not None else 0
        run = self._run([])
        _text(run, label)
        etree.SubElement(run, f"{W}tab")
        made[0].insert(start, run)
        indent = made[0].find(f"{W}pPr/{W}ind")
        if indent is not None:
            indent.set(f"{W}hanging", str(INDENT))
        return made

    def _paragraph(
        self, element: etree._Element, depth: int = 0, style: str | None = None, bold: bool = False, end: bool = False
    ) -> etree._Element:
        made = etree.Element(P)
        properties = self.model.find(f"{W}pPr")
        kept = [copy.deepcopy(one) for one in properties if one.tag not in OWN] if properties is not None else []
        if style is not None:
            kept = [etree.Element(f"{W}pStyle", {f"{W}val": style})]
        if end:
            kept = [one for one in kept if one.tag not in (f"{W}ind", f"{W}jc")]
            kept.append(etree.Element(f"{W}jc", {f"{W}val": "right"}))
        elif depth:
            kept = [one for one in kept if one.tag != f"{W}ind"]
            indent = etree.Element(f"{W}ind", {f"{W}left": str(INDENT * depth)})
            later = [place for place, one in enumerate(kept) if etree.QName(one).localname in AFTER_INDENT]
            kept.insert(later[0] if later else len(kept), indent)
        if kept:
            etree.SubElement(made, f"{W}pPr").extend(kept)
        self._inline(made, element, ["strong"] if bold else [])
        return made

    def _inline(self, paragraph: etree._Element, element: etree._Element, formats: list[str]) -> None:
        self._words(paragraph, element.text, formats)
        for child in element:
            if child.tag == "br":
                run = self._run(formats)
                etree.SubElement(run, f"{W}br")
                paragraph.append(run)
            elif child.tag == "img":
                paragraph.append(self._image(child))
            else:
                self._inline(paragraph, child, [*formats, child.tag] if child.tag in FORMATS else formats)
            self._words(paragraph, child.tail, formats)

    def _image(self, image: etree._Element) -> etree._Element:
        """A run with an image, or with its words."""
        run, drawn = self._run([]), image.get(PICTURE) is None
        name, alternative = image.get("src", "") if drawn else image.get(PICTURE), image.get("alt", "")
        drawing = self.pictures.drawing(name, alternative, self.story, drawn)
        if drawing is None:
            _text(run, words(image))
        else:
            run.append(drawing)
        return run

    def _words(self, paragraph: etree._Element, words: str | None, formats: list[str]) -> None:
        if words and (words.strip() or words == "\u00a0" or (len(paragraph) and words == " ")):
            run = self._run(formats)
            _text(run, words)
            paragraph.append(run)

    def _run(self, formats: list[str]) -> etree._Element:
        run = etree.Element(R)
        given = self.model.find(f".//{R}/{W}rPr")
        kept = [copy.deepcopy(one) for one in given] if given is not None else []
        names = [FORMATS[name] for name in formats]
        kept = [one for one in kept if etree.QName(one).localname not in names]
        for name in sorted(set(names), key=("b", "i", "u").index):
            made = etree.Element(f"{W}{name}", {f"{W}val": "single"} if name == "u" else {})
            kept.insert(_place(kept, name), made)
        if kept:
            etree.SubElement(run, f"{W}rPr").extend(kept)
        return run

    def _table(self, table: etree._Element) -> etree._Element:
        signed = "signatures" in table.get("class", "").split()
        rows = rows_of(table)
        columns = max(sum(cell.columns for cell in row.cells) for row in rows)
        made = etree.Element(f"{W}tbl", {PART: "made"})
        properties = etree.SubElement(made, f"{W}tblPr")
        style = None if signed else self.styles.table(self.package.tree(self.package.main))
        if style:
            _add(properties, "tblStyle", val=style)
        if is_on(self.model.find(f"{W}pPr/{W}bidi")):
            _add(properties, "bidiVisual")
        _add(properties, "tblW", w="5000", type="pct")
        if not signed and style is None:
            lines = _add(properties, "tblBorders")
            for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
                _add(lines, side, val="single", sz="4", space="0", color="auto")
        grid = _add(made, "tblGrid")
        widths = _widths(columns)
        for width in widths:
            _add(grid, "gridCol", w=str(width))
        for row in rows:
            line = _add(made, "tr")
            about = _add(line, "trPr")
            _add(about, "cantSplit")
            if row.heads:
                _add(about, "tblHeader")
            for cell in row.cells:
                width = sum(widths[cell.column : cell.column + cell.columns])
                self._cell(line, cell.element, cell.columns, 5000 * width // sum(widths))
        return made

    def _cell(self, line: etree._Element, cell: etree._Element, columns: int, width: int) -> None:
        made = _add(line, "tc")
        properties = _add(made, "tcPr")
        _add(properties, "tcW", w=str(width), type="pct")
        if columns > 1:
            _add(properties, "gridSpan", val=str(columns))
        money = "money" in cell.get("class", "").split()
        if any(child.tag in BLOCKS for child in cell):
            made.extend(self._blocks(cell, 0))
        else:
            made.append(self._paragraph(cell, bold=cell.tag == "th", end=money))
        if made[-1].tag != P:
            made.append(etree.Element(P))


# Of a paragraph's properties, in the order of Word's schema.
AFTER_INDENT = (
    *("contextualSpacing", "mirrorIndents", "suppressOverlap", "jc", "textDirection", "textAlignment"),
    *("textboxTightWrap", "outlineLvl", "divId", "cnfStyle", "rPr", "sectPr", "pPrChange"),
)


def _html(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


def _widths(columns: int) -> list[int]:
    """Twentieths of a point; beside figures, the first column is as wide as two."""
    shares = [2 if columns > 2 and number == 0 else 1 for number in range(columns)]
    return [9000 * share // sum(shares) for share in shares]


def _place(kept: Sequence[etree._Element], name: str) -> int:
    """Where a run property stands; `u` follows most others."""
    before = {"b": ("rStyle", "rFonts"), "i": ("rStyle", "rFonts", "b", "bCs")}.get(name)
    later = (
        "effect",
        "bdr",
        "shd",
        "fitText",
        "vertAlign",
        "rtl",
        "cs",
        "em",
        "lang",
        "eastAsianLayout",
        "specVanish",
        "oMath",
    )
    names = [etree.QName(one).localname for one in kept]
    if before is None:
        return next((place for place, one in enumerate(names) if one in later), len(names))
    return next((place for place, one in enumerate(names) if one not in before), len(names))


def _add(parent: etree._Element, name: str, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, f"{W}{name}", {f"{W}{key}": value for key, value in attributes.items()})


def _text(run: etree._Element, words: str) -> None:
    text = etree.SubElement(run, T)
    text.text = words
    text.set(SPACE, "preserve")
