"""Word files as Word saves them: {name: content}.

They have what Word's own writer leaves in a file: revision ids of each paragraph and run, marks of the spelling
checker, bookmarks of the last edit and of contents, ids of paragraphs, choices for old programs, content controls with
their data and building blocks, fields in pieces, and parts that nothing here reads.
"""

import io
import zipfile
from itertools import count

from tests.contracts.support import image_file

OFFICE = "http://schemas.openxmlformats.org"
WORD = "http://schemas.microsoft.com/office/word"
SPACES = {
    "w": f"{OFFICE}/wordprocessingml/2006/main",
    "r": f"{OFFICE}/officeDocument/2006/relationships",
    "mc": f"{OFFICE}/markup-compatibility/2006",
    "wp": f"{OFFICE}/drawingml/2006/wordprocessingDrawing",
    "a": f"{OFFICE}/drawingml/2006/main",
    "pic": f"{OFFICE}/drawingml/2006/picture",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "w14": f"{WORD}/2010/wordml",
    "w15": f"{WORD}/2012/wordml",
    "w16se": f"{WORD}/2015/wordml/symex",
    "wp14": f"{WORD}/2010/wordprocessingDrawing",
    "wps": f"{WORD}/2010/wordprocessingShape",
}
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
DECLARED = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
ROOT = f'{DECLARED} mc:Ignorable="w14 w15 w16se wp14"'
SECTION = (
    '<w:sectPr w:rsidR="00B13F2A" w:rsidSect="00C4157D">{references}<w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1417"'
    ' w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/><w:cols w:space="708"/>'
    '{title}<w:docGrid w:linePitch="360"/></w:sectPr>'
)
SPELLED = '<w:proofErr w:type="spellStart"/>{}<w:proofErr w:type="spellEnd"/>'
GO_BACK = '<w:bookmarkStart w:id="0" w:name="_GoBack"/><w:bookmarkEnd w:id="0"/>'
numbers = count(0x1A2B3C4D, 7919)


def run(text, format=""):
    space = ' xml:space="preserve"' if text != text.strip() else ""
    format = f"<w:rPr>{format}</w:rPr>" if format else ""
    return f'<w:r w:rsidRPr="00{next(numbers) % 0xFFFFFF:06X}">{format}<w:t{space}>{text}</w:t></w:r>'


def paragraph(*xml, about=""):
    """A paragraph of runs (XML), or of a text."""
    inside = "".join(one if one.startswith("<") else run(one) for one in xml)
    id, about = f"{next(numbers) % 0x7FFFFFFF:08X}", f"<w:pPr>{about}</w:pPr>" if about else ""
    ids = f'w14:paraId="{id}" w14:textId="77777777"'
    return f'<w:p {ids} w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E" w:rsidP="00C4157D">{about}{inside}</w:p>'


def field(instruction, result):
    begin, part, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    code = f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
    return begin + code + part + result + end


def control(content, properties):
    id = next(numbers) % 0x7FFFFFFF
    return f'<w:sdt><w:sdtPr><w:id w:val="{id}"/>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>'


def box(*paragraphs):
    """A text box as a choice of new and old programs."""
    content = f"<w:txbxContent>{''.join(paragraphs)}</w:txbxContent>"
    return f"""<w:r><w:rPr><w:noProof/></w:rPr><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>
<wp:anchor distT="45720" distB="45720" distL="114300" distR="114300" simplePos="0" relativeHeight="251659264"
 behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1" wp14:anchorId="1C6A7B2D" wp14:editId="50D07946">
<wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="margin"><wp:align>right</wp:align></wp:positionH>
<wp:positionV relativeFrom="paragraph"><wp:posOffset>182880</wp:posOffset></wp:positionV>
<wp:extent cx="2360930" cy="1404620"/>
<wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="217" name="Text box 2"/>
<wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri="{SPACES["wps"]}"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr>
<a:xfrm><a:off x="0" y="0"/><a:ext cx="2360930" cy="1404620"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>
</wps:spPr><wps:txbx>{content}</wps:txbx><wps:bodyPr rot="0" vert="horz" wrap="square"/></wps:wsp></a:graphicData>
</a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id="Text_x0020_Box_x0020_2"
 style="position:absolute;width:185.9pt;height:110.6pt"><v:textbox>{content}</v:textbox></v:shape></w:pict>
</mc:Fallback></mc:AlternateContent></w:r>"""


PICTURE = f"""<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="360000" cy="360000"/>
<wp:docPr id="1" name="Picture 1" descr="A logo"/><a:graphic><a:graphicData uri="{SPACES["pic"]}"><pic:pic><pic:nvPicPr>
<pic:cNvPr id="1" name="logo.png"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId20"/><a:stretch>
<a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="360000" cy="360000"/></a:xfrm>
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>
</w:drawing></w:r>"""
BOUND = (
    '<w:alias w:val="Customer"/><w:tag w:val="customer"/><w:placeholder><w:docPart w:val="8F2C1D"/></w:placeholder>'
    '<w:showingPlcHdr/><w:dataBinding w:prefixMappings="xmlns:c=\'urn:x\'" w:xpath="/c:a[1]/c:b[1]"'
    ' w:storeItemID="{6668398D-A668-4E3E-A5EB-62B293D839F1}"/><w:text/>'
)
CHECKED = (
    '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/></w14:checkbox>'
)
CHOSEN = '<w:dropDownList><w:listItem w:displayText="A" w:value="A"/></w:dropDownList>'
PLACEHOLDER = '<w:rStyle w:val="Platzhaltertext"/>'
NUMBERED = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'


def licence():
    """Contents, numbered headings in pieces, a footnote, headers and a last edit in the middle of a tag."""
    heading = '<w:pStyle w:val="berschrift1"/>'
    contents = field(
        'TOC \\o "1-3" \\h \\z \\u', "<w:r><w:t>1</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>Grant</w:t></w:r>"
    )
    marked = '<w:bookmarkStart w:id="1" w:name="_Toc98765432"/>{}<w:bookmarkEnd w:id="1"/>'
    note = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>'
    body = (
        paragraph(contents),
        paragraph(marked.format(run("Grant to ") + run("{{Licensee")), GO_BACK, run(".name}}"), about=heading),
        paragraph(
            "The ", SPELLED.format(run("{{", "<w:b/>") + run("Deal.title")), run("}}"), note, about=NUMBERED.format(0)
        ),
        paragraph("{{#if Deal.id > 5}}"),
        paragraph(run("See "), field("REF _Toc98765432 \\r \\h", "<w:r><w:t>1</w:t></w:r>"), run(" for {{Deal.id}}.")),
        paragraph("{{/if}}"),
        paragraph(
            '<w:r><w:br w:type="page"/></w:r>', "<w:r><w:lastRenderedPageBreak/><w:t>{{Quote.</w:t></w:r>", "total}}"
        ),
    )
    return packed(body, notes=True, headers=True)


def letter():
    """A text box for new and old programs, a picture, content controls with data of the file, a smart tag."""
    tagged = '<w:smartTag w:uri="urn:schemas-microsoft-com:office:smarttags" w:element="place">{}</w:smartTag>'
    body = (
        paragraph(
            PICTURE,
            box(paragraph("{{Contract.", run("number}}", "<w:b/>")), paragraph("{{#if Deal.id > 5}}yes{{/if}}")),
        ),
        paragraph(
            control(run("{{Licensee.name}}", PLACEHOLDER), BOUND), run(", "), run("{{Licensee.ad"), run("dress}}")
        ),
        control(paragraph(control(run("\u2610"), CHECKED), " {{Deal.title}}"), '<w15:appearance w15:val="hidden"/>'),
        paragraph(control(run("A"), CHOSEN), tagged.format(run("{{Deal.value")) + run(" | currency}}")),
    )
    return packed(body)


def prices():
    """A styled table whose row repeats, with control marks of its cells."""
    head = '<w:trPr><w:cnfStyle w:val="100000000000"/><w:tblHeader/></w:trPr>'
    cell = '<w:tc><w:tcPr><w:cnfStyle w:val="001000000000"/><w:tcW w:w="4531" w:type="dxa"/></w:tcPr>{}</w:tc>'

    def row(about, *texts):
        cells = "".join(cell.format(paragraph(*text)) for text in texts)
        ids = f'w:rsidR="00A77B3E" w:rsidTr="00C4157D" w14:paraId="{next(numbers):08X}" w14:textId="77777777"'
        return f"<w:tr {ids}>{about}{cells}</w:tr>"

    table = (
        '<w:tbl><w:tblPr><w:tblStyle w:val="Tabellenraster"/><w:tblW w:w="0" w:type="auto"/><w:tblLook w:val="04A0"'
        ' w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr>'
        '<w:tblGrid><w:gridCol w:w="4531"/><w:gridCol w:w="4531"/></w:tblGrid>'
        + row(head, ["Item"], ["Net"])
        + row(
            "",
            ["{{#each Quote.lines}}", control(SPELLED.format(run("{{Line.")) + run("name}}"), "<w:text/>")],
            ["{{Line.net | ", "currency}}{{/each}}"],
        )
        + "</w:tbl>"
    )
    return packed(
        [paragraph("Prices of {{Quote.number}}"), table, paragraph("Total ", run("{{Quote.total}}", "<w:b/>"))]
    )


STYLES = """<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>
<w:lang w:val="de-DE"/></w:rPr>
</w:rPrDefault><w:pPrDefault/></w:docDefaults><w:latentStyles w:defLockedState="0" w:defUIPriority="99" w:count="376">
<w:lsdException w:name="Normal" w:uiPriority="0" w:qFormat="1"/></w:latentStyles>
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1">
<w:name w:val="heading 1"/><w:basedOn w:val="Standard"/><w:qFormat/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="table" w:default="1" w:styleId="NormaleTabelle"><w:name w:val="Normal Table"/></w:style>
<w:style w:type="table" w:styleId="Tabellenraster"><w:name w:val="Table Grid"/>
<w:basedOn w:val="NormaleTabelle"/></w:style>
<w:style w:type="character" w:styleId="Platzhaltertext"><w:name w:val="Placeholder Text"/></w:style>"""
LEVELS = "".join(
    f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/>'
    '<w:lvlJc w:val="left"/></w:lvl>'
    for level, text in enumerate(["%1.", "%1.%2", "%1.%2.%3"])
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0" w15:restartNumberingAfterBreak="0"><w:nsid w:val="1F2A3B4C"/>'
    f'<w:multiLevelType w:val="multilevel"/>{LEVELS}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
SETTINGS = (
    '<w:zoom w:percent="100"/><w:proofState w:spelling="clean" w:grammar="clean"/><w:defaultTabStop w:val="708"/>'
    '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word"'
    ' w:val="15"/>'
    '</w:compat><w:rsids><w:rsidRoot w:val="00C4157D"/><w:rsid w:val="00A77B3E"/><w:rsid w:val="00B13F2A"/></w:rsids>'
    '<w14:docId w14:val="5F1E3A7C"/>'
)
SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{id}">{paragraph(f"<w:r><w:{kind}/></w:r>")}</w:footnote>'
    for id, kind in ((-1, "separator"), (0, "continuationSeparator"))
)
GLOSSARY = (
    '<w:docParts><w:docPart><w:docPartPr><w:name w:val="8F2C1D"/><w:category><w:name w:val="Allgemein"/><w:gallery'
    ' w:val="placeholder"/></w:category><w:types><w:type w:val="bbPlcHdr"/></w:types><w:behaviors><w:behavior'
    ' w:val="content"/></w:behaviors></w:docPartPr><w:docPartBody>'
    + paragraph("Click here")
    + "</w:docPartBody></w:docPart></w:docParts>"
)
STORE = "{6668398D-A668-4E3E-A5EB-62B293D839F1}"
BASE = "application/vnd.openxmlformats-officedocument"
KIND = f"{BASE}.wordprocessingml"


def xml(root, content):
    return f"{HEAD}<w:{root} {ROOT}>{content}</w:{root}>"


def related(**targets):
    space = f"{OFFICE}/package/2006/relationships"
    kinds = "".join(
        f'<Relationship Id="{id}" Type="{kind if ":" in kind else SPACES["r"] + "/" + kind}" Target="{target}"/>'
        for id, (kind, target) in targets.items()
    )
    return f'{HEAD}<Relationships xmlns="{space}">{kinds}</Relationships>'


def packed(body, notes=False, headers=False):
    """The package of a body's blocks, its parts in Word's order."""
    references = ""
    relations = {
        "rId1": ("customXml", "../customXml/item1.xml"),
        "rId2": ("numbering", "numbering.xml"),
        "rId3": ("styles", "styles.xml"),
        "rId4": ("settings", "settings.xml"),
        "rId9": ("glossaryDocument", "glossary/document.xml"),
        "rId20": ("image", "media/image1.png"),
    }
    parts = {
        "word/styles.xml": ("styles", xml("styles", STYLES)),
        "word/numbering.xml": ("numbering", xml("numbering", NUMBERING)),
        "word/settings.xml": ("settings", xml("settings", SETTINGS)),
        "word/glossary/document.xml": ("document.glossary", xml("glossaryDocument", GLOSSARY)),
    }
    if notes:
        note = paragraph("<w:r><w:footnoteRef/></w:r>", " Of {{Contract.", "effective_date}}.")
        parts["word/footnotes.xml"] = (
            "footnotes",
            xml("footnotes", f'{SEPARATORS}<w:footnote w:id="1">{note}</w:footnote>'),
        )
        relations["rId5"] = ("footnotes", "footnotes.xml")
    if headers:
        for id, (root, kind) in enumerate((("hdr", "first"), ("hdr", "default"), ("ftr", "default")), 10):
            name = "header" if root == "hdr" else "footer"
            parts[f"word/{name}{id}.xml"] = (name, xml(root, paragraph(f"{kind} {{{{Contract.", "number}}")))
            relations[f"rId{id}"] = (name, f"{name}{id}.xml")
            references += f'<w:{name}Reference w:type="{kind}" r:id="rId{id}"/>'
    section = SECTION.format(references=references, title="<w:titlePg/>" if headers else "")
    document = xml("document", f"<w:body>{''.join(body)}{section}</w:body>")
    return _zipped({"word/document.xml": ("document.main", document), **parts}, relations)


def _zipped(parts, relations):
    types = "".join(
        f'<Override PartName="/{name}" ContentType="{KIND}.{kind}+xml"/>' for name, (kind, _content) in parts.items()
    )
    written = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{OFFICE}/package/2006/content-types"><Default Extension="png"'
        ' ContentType="image/png"/><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        f'"application/xml"/>{types}<Override PartName="/customXml/itemProps1.xml"'
        f' ContentType="{BASE}.customXmlProperties+xml"/>'
        "</Types>",
        "_rels/.rels": related(rId1=("officeDocument", "word/document.xml")),
        "word/_rels/document.xml.rels": related(**relations),
        **{name: content for name, (_kind, content) in parts.items()},
        "word/media/image1.png": image_file("PNG"),
        "customXml/item1.xml": '<c:a xmlns:c="urn:x"><c:b/></c:a>',
        "customXml/itemProps1.xml": f'{HEAD}<ds:datastoreItem ds:itemID="{STORE}"'
        f' xmlns:ds="{OFFICE}/officeDocument/2006/customXml">'
        '<ds:schemaRefs><ds:schemaRef ds:uri="urn:x"/></ds:schemaRefs></ds:datastoreItem>',
        "customXml/_rels/item1.xml.rels": related(rId1=("customXmlProps", "itemProps1.xml")),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in written.items():
            archive.writestr(name, content)
    return made.getvalue()


FILES = {"licence of Word": licence(), "letter of Word": letter(), "prices of Word": prices()}
