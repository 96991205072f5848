"""The containers of paragraphs: bodies and cells."""

from typing import NamedTuple, Self

from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents.styles import style_of
from pipeline.documents.word.inline import Format

# Word's "left" is the start of a line, the right side in rtl.
ALIGN = {
    "ltr": {"left": "left", "right": "right", "center": "center", "justify": "both"},
    "rtl": {"left": "right", "right": "left", "center": "center", "justify": "both"},
}
TURNED = {"left": "right", "right": "left"}


class Container(NamedTuple):
    """A body or cell, and the properties its paragraphs inherit; distances in twips."""

    parent: etree._Element
    width: int
    style: str | None = None
    left: int = 0
    right: int = 0
    align: str | None = None
    form: Format = Format()
    keep_next: bool = False
    direction: str = "ltr"
    ragged: bool = False
    turned: bool = False
    hanging: int = 0
    borders: tuple[tuple[str, str], ...] = ()

    def inside(self, element: etree._Element) -> Self:
        place, align = self._turned(element.get("dir")), style_of(element).get("text-align")
        return place._replace(
            form=self.form.inside(element),
            align=ALIGN[place.direction][align] if align else place.align,
            ragged=self.ragged or contents.has_class(element, "ragged"),
        )

    def _turned(self, direction: str | None) -> Self:
        if direction in (None, self.direction):
            return self
        align = self.align and TURNED.get(self.align, self.align)
        return self._replace(direction=direction, turned=True, align=align)
