"""The entries of a Word file's tables of contents."""

import copy
import re
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from .fields import SIMPLE, Field
from .marks import BOOKMARKS, SIGNS, P, R, T
from .package import W

LINK, ANCHOR = f"{W}hyperlink", f"{W}anchor"
PROPERTIES, SECTION = f"{W}pPr", f"{W}pPr/{W}sectPr"
KEPT = (PROPERTIES, *BOOKMARKS)
NUMBER = re.compile(r"\d+|[ivxlc]+")


class ContentsEntry(NamedTuple):
    """A paragraph of a table of contents; `place` is the name of its bookmark, `page` its field with the page."""

    contents: Field
    paragraph: etree._Element
    place: str
    page: Field | None

    @property
    def number(self) -> etree._Element | None:
        """The text of a page without a field."""
        if self.page is not None or "n" in self.contents.switches:
            return None
        last = [one for one in self.paragraph.iter(T, *SIGNS) if one.tag != T or (one.text or "").strip()][-2:]
        is_number = len(last) == 2 and last[0].tag in SIGNS and NUMBER.fullmatch((last[1].text or "").strip())
        return last[1] if is_number else None

    def renew_page(self) -> None:
        """Makes the text of a page a field."""
        number = self.number
        if number is None:
            return
        run = number.getparent()
        field = etree.Element(SIMPLE, {f"{W}instr": f" PAGEREF {self.place} \\h "})
        run.addnext(field)
        made = etree.SubElement(field, R)
        made.extend(copy.deepcopy(run.findall(f"{W}rPr")))
        made.append(number)

    def drop(self) -> None:
        """Removes the entry; its paragraph stays if it holds an end of the whole table, or of a section."""
        for child in list(self.paragraph):
            if child.tag not in KEPT and not {*child.iter()} & {*self.contents.parts}:
                self.paragraph.remove(child)
        if len(self.paragraph) == len(self.paragraph.findall(PROPERTIES)) and self.paragraph.find(SECTION) is None:
            self.paragraph.getparent().remove(self.paragraph)


def entries(found: Sequence[Field]) -> list[ContentsEntry]:
    """The entries of the tables of contents among the fields of a story."""
    pages = {one.place: one for one in found if one.kind == "PAGEREF"}
    links = {one.place: one.switches.get("l", "").strip('"') for one in found if one.kind == "HYPERLINK"}
    made = []
    for contents in found:
        if contents.kind == "TOC":
            for paragraph in dict.fromkeys(next(one.iterancestors(P)) for one in contents.shown):
                page = pages.get(paragraph)
                link = next(paragraph.iter(LINK), None)
                place = page.argument if page else links.get(paragraph, "") if link is None else link.get(ANCHOR, "")
                made.append(ContentsEntry(contents, paragraph, place, page))
    return made
