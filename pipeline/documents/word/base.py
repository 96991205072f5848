"""The empty Word document of every contract."""

import functools
import io
from pathlib import Path

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml.parser import parse_xml
from docx.section import Section
from docx.shared import Mm
from lxml import etree

from pipeline.documents.word.xml import W, add, new

PAGE_WIDTH, PAGE_HEIGHT = Mm(210), Mm(297)
SIDE, TOP, BOTTOM = Mm(25), Mm(26), Mm(23)
TWIPS = 635  # EMU
TEXT_WIDTH = (PAGE_WIDTH - 2 * SIDE) // TWIPS
# Parts of python-docx's default document that contracts do not need.
_SUPERFLUOUS = ("/stylesWithEffects", "/customXml", "/theme", "/webSettings", "/thumbnail", "/extended-properties")
# Without these settings Word opens the file in compatibility mode.
_COMPATIBILITY = {
    "compatibilityMode": 15,
    "overrideTableStyleFontSizeAndJustification": 1,
    "enableOpenTypeFeatures": 1,
    "doNotFlipMirrorIndents": 1,
}
_WORD = "http://schemas.microsoft.com/office/word"


def new_document(language: str, direction: str) -> WordDocument:
    """An empty Document for a language (BCP 47) and direction."""
    document = Document(io.BytesIO(_base()))
    for element in document.styles.element.iter("{*}lang"):
        for name in list(element.attrib):
            element.set(name, language)
    if direction == "rtl":  # all styles inherit from Normal
        document.styles.element.find(f"{W}style[@{W}styleId='Normal']/{W}pPr").insert(0, new("bidi"))
    return document


@functools.cache
def _base() -> bytes:
    document = Document()
    document.styles.element[:] = parse_xml(Path(__file__).with_name("styles.xml").read_bytes())
    _drop_superfluous(document)
    del document.part.numbering_part.element[:]
    _replace_settings(document.settings.element)
    _set_page(document.sections[0])
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _replace_settings(settings: etree._Element) -> None:
    del settings[:]
    add(settings, "defaultTabStop", val=720)
    add(settings, "autoHyphenation")
    # As hyphenate-limit-zone of contract.css.
    add(settings, "hyphenationZone", val=720)
    add(settings, "doNotHyphenateCaps")
    add(settings, "characterSpacingControl", val="doNotCompress")
    compatibility = add(settings, "compat")
    # Keeps the spaces of a justified line before a line break.
    add(compatibility, "doNotExpandShiftReturn")
    for name, value in _COMPATIBILITY.items():
        add(compatibility, "compatSetting", name=name, uri=_WORD, val=value)
    add(settings, "decimalSymbol", val=".")
    add(settings, "listSeparator", val=",")


def _drop_superfluous(document: WordDocument) -> None:
    for rels in (document.part.rels, document.part.package.rels):
        for number, relation in list(rels.items()):
            if relation.reltype.endswith(_SUPERFLUOUS):
                rels.pop(number)


def _set_page(section: Section) -> None:
    section.page_width, section.page_height = PAGE_WIDTH, PAGE_HEIGHT
    section.left_margin = section.right_margin = SIDE
    section.top_margin, section.bottom_margin = TOP, BOTTOM
    section.header_distance, section.footer_distance = Mm(15), Mm(12)
    section.header.is_linked_to_previous = section.footer.is_linked_to_previous = False
