"""Puts drawn signatures, and pictures of clauses, into a Word file."""

import io
import posixpath
from collections.abc import Mapping

from lxml import etree
from PIL import Image

from pipeline.documents.authored.package import RELATION, TYPES, Package, R, relations_of

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
# English Metric Units: a millimetre, and a pixel as browsers count.
MM, PIXEL = 36_000, 9_525
# Millimetres: the boxes of a drawn signature and of a picture.
DRAWN, PICTURE = (60, 18), (160, 200)
KINDS = {"PNG": ("png", "image/png"), "JPEG": ("jpg", "image/jpeg")}
# Above the ids of an author's drawings.
FIRST_ID = 900_000


class Pictures:
    """The pictures of one file."""

    def __init__(self, package: Package, images: Mapping[str, bytes]) -> None:
        self.package, self.images = package, images
        self.changed: set[str] = set()
        self.count = 0

    def drawing(self, name: str, alternative: str, story: str, drawn: bool) -> etree._Element | None:
        """An inline drawing of an image by its name, or None without it; a `drawn` one fills its box."""
        if name not in self.images:
            return None
        data = self.images[name]
        with Image.open(io.BytesIO(data), formats=tuple(KINDS)) as image:
            (width, height), (extension, content_type) = image.size, KINDS[image.format or "PNG"]
        box = DRAWN if drawn else PICTURE
        fitting = min(box[0] / width, box[1] / height) * MM
        scale = fitting if drawn else min(fitting, PIXEL)
        self.count += 1
        relation = self._related(data, story, extension, content_type)
        return _inline(relation, FIRST_ID + self.count, alternative, round(width * scale), round(height * scale))

    def _related(self, data: bytes, story: str, extension: str, content_type: str) -> str:
        """The id of a new relationship of a story to the image."""
        name = f"word/media/signature{self.count}.{extension}"
        self.package.parts[name] = data
        types = self.package.tree(TYPES)
        if not any(one.get("Extension", "").lower() == extension for one in types):
            space = etree.QName(types).namespace
            types.insert(0, etree.Element(f"{{{space}}}Default", Extension=extension, ContentType=content_type))
        relations = relations_of(story)
        if relations not in self.package.parts:
            space = etree.QName(RELATION).namespace
            self.package.parts[relations] = f'<Relationships xmlns="{space}"/>'.encode()
        target = posixpath.relpath(name, posixpath.dirname(story))
        id = f"signature{self.count}"
        etree.SubElement(self.package.tree(relations), RELATION, Id=id, Type=IMAGE, Target=target)
        self.changed |= {TYPES, relations}
        return id


def _inline(relation: str, number: int, alternative: str, width: int, height: int) -> etree._Element:
    written = f"""<w:drawing xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        xmlns:wp="{DRAWING}/wordprocessingDrawing" xmlns:a="{DRAWING}/main" xmlns:pic="{DRAWING}/picture"
        xmlns:r="{R[1:-1]}"><wp:inline distT="0" distB="0" distL="0" distR="0">
        <wp:extent cx="{width}" cy="{height}"/><wp:docPr id="{number}" name="Signature {number}"/>
        <a:graphic><a:graphicData uri="{DRAWING}/picture"><pic:pic>
        <pic:nvPicPr><pic:cNvPr id="{number}" name="Signature {number}"/><pic:cNvPicPr/></pic:nvPicPr>
        <pic:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>
        <pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>
        <a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>
        </wp:inline></w:drawing>"""
    parser = etree.XMLParser(remove_blank_text=True, resolve_entities=False)
    made = etree.fromstring(written, parser)
    made.find(f".//{{{DRAWING}/wordprocessingDrawing}}docPr").set("descr", alternative)
    return made
