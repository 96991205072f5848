"""Writes pictures into the lines of a Word document."""

import io

from docx.document import Document as WordDocument
from docx.shared import Pt
from lxml import etree

from pipeline.documents import pictures
from pipeline.documents.document import Document
from pipeline.documents.subset import PICTURE
from pipeline.documents.word.xml import W, new

TWIPS = 20
# The height of a line in styles.xml.
LINE = "279"


class Pictures:
    """The pictures of a contract, for one Word document."""

    def __init__(self, document: WordDocument, source: Document) -> None:
        self.part, self.known, self.tallest = document.part, pictures.read(source), pictures.tallest(source)

    def run(self, image: etree._Element, room: int) -> etree._Element | None:
        """A run with the picture in a block of so many twips; None without the picture."""
        picture = self.known.get(image.get(PICTURE, ""))
        if picture is None:
            return None
        width = pictures.width(image, picture, room / TWIPS, self.tallest)
        inline = self.part.new_pic_inline(
            io.BytesIO(picture.data), Pt(width), Pt(width * picture.height / picture.width)
        )
        for side in "TBLR":  # LibreOffice would keep a distance
            inline.set(f"dist{side}", "0")
        inline.docPr.set("descr", image.get("alt", ""))
        run = new("r")
        drawing = etree.SubElement(run, f"{W}drawing")
        drawing.append(inline)
        return run


def give_room(body: etree._Element) -> None:
    """Lets lines with a picture grow: one of an exact height crops it."""
    for paragraph in {next(found.iterancestors(f"{W}p")) for found in body.iter(f"{W}drawing")}:
        spacing = paragraph.get_or_add_pPr().get_or_add_spacing()
        spacing.set(f"{W}line", LINE)
        spacing.set(f"{W}lineRule", "atLeast")
