"""The empty Word document of every contract."""

import functools
import io
from pathlib import Path

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.section import WD_ORIENT
from docx.oxml.parser import parse_xml
from docx.section import Section
from docx.shared import Mm
from lxml import etree

from pipeline.documents.document import SIDE, language_tag
from pipeline.documents.document import Document as Source
from pipeline.documents.word.xml import W, add, new

TOP, BOTTOM = Mm(26), Mm(23)
TWIPS = 635  # EMU
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


def text_width(source: Source) -> int:
    """The width of the text in twips."""
    return Mm(source.paper[0]) // TWIPS - 2 * (Mm(SIDE) // TWIPS)


def new_document(source: Source) -> WordDocument:
    """An empty Document in the language, direction and paper of a contract."""
    document = Document(io.BytesIO(_base()))
    language, direction = language_tag(source.language), source.direction
    _set_paper(document, source)
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


def _set_paper(document: WordDocument, source: Source) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = map(Mm, source.paper)
    if source.orientation == "landscape":
        section.orientation = WD_ORIENT.LANDSCAPE
    for tab in document.styles.element.iter(W + "tab"):
        if tab.get(W + "leader"):  # the pages of a table of contents
            tab.set(W + "pos", str(text_width(source)))


def _set_page(section: Section) -> None:
    section.left_margin = section.right_margin = Mm(SIDE)
    section.top_margin, section.bottom_margin = TOP, BOTTOM
    section.header_distance, section.footer_distance = Mm(15), Mm(12)
    section.header.is_linked_to_previous = section.footer.is_linked_to_previous = False
