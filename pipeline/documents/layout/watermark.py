"""The watermark of a draft: a grey text across each page, behind the contract's words."""

from html import escape
from math import sqrt

from lxml import etree

from pipeline.documents.characters.advances import HELVETICA
from pipeline.documents.document import SIDE, Document
from pipeline.documents.layout.columns import POINTS
from pipeline.documents.subset import clean_text

# The largest letters in points, and the height of a line in parts of their size.
LARGEST, LINE = 110, 1.15
# Wider than any other letter of a proportional font.
_OTHER = 1000
GREY = "#d9d9d9"

_WORD = """<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><w:pict>
<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e">
<v:formulas><v:f eqn="sum #0 0 10800"/><v:f eqn="prod #0 2 1"/><v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/>
<v:f eqn="sum 21600 0 @3"/><v:f eqn="if @0 @3 0"/><v:f eqn="if @0 21600 @1"/><v:f eqn="if @0 0 @2"/>
<v:f eqn="if @0 @4 21600"/><v:f eqn="mid @5 @6"/><v:f eqn="mid @8 @5"/><v:f eqn="mid @7 @8"/><v:f eqn="mid @6 @7"/>
<v:f eqn="sum @6 0 @5"/></v:formulas>
<v:path textpathok="t" o:connecttype="custom" o:connectlocs="@9,0;@10,10800;@11,21600;@12,10800"
 o:connectangles="270,180,90,0"/><v:textpath on="t" fitshape="t"/>
<v:handles><v:h position="#0,bottomRight" xrange="6629,14971"/></v:handles>
<o:lock v:ext="edit" text="t" shapetype="t"/></v:shapetype>
<v:shape id="PowerPlusWaterMarkObject1" o:spid="_x0000_s2049" type="#_x0000_t136" alt="" style="position:absolute;
margin-left:0;margin-top:0;width:{width:.1f}pt;height:{height:.1f}pt;rotation:315;z-index:-251658752;
mso-position-horizontal:center;mso-position-horizontal-relative:margin;mso-position-vertical:center;
mso-position-vertical-relative:margin" o:allowincell="f" fillcolor="{grey}" stroked="f">
<v:textpath style="font-family:&quot;Arial&quot;;font-weight:bold;font-size:1pt" string="{text}"/></v:shape>
</w:pict></w:r>"""


def css(document: Document, text: str) -> str:
    """The margin box of a page that holds `text`, a string of CSS; PDF readers skip margin boxes."""
    width, size = _extent(document)
    left = document.line * POINTS / 2 + width / 2  # from the right margin, where the box belongs
    return (
        f"@right-middle {{ content: {text}; width: {width:.1f}pt; margin-left: {-left:.1f}pt; z-index: -1;"
        f" white-space: nowrap; text-align: center; vertical-align: middle; transform: rotate(-45deg);"
        f" font-size: {size:.1f}pt; line-height: {LINE}; font-weight: bold; color: {GREY} }}"
    )


def word(document: Document) -> etree._Element:
    """The run for a header of Word, as Word itself writes a watermark."""
    width, size = _extent(document)
    xml = _WORD.format(width=width, height=size * LINE, grey=GREY, text=_text(document))
    return etree.fromstring(xml.replace(";\n", ";").replace("\n", ""))


def _text(document: Document) -> str:
    return escape(clean_text(document.watermark), quote=True)


def _extent(document: Document) -> tuple[float, float]:
    """(width of the text, size of its letters) in points; turned by 45 degrees it fits between the margins."""
    ems = sum(HELVETICA.get(sign, _OTHER) for sign in document.watermark) / 1000
    room = (min(document.paper) - 2 * SIDE) * POINTS
    size = min(LARGEST, room * sqrt(2) / (ems + LINE))
    return ems * size, size
