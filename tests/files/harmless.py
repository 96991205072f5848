"""Files that people send and that act on nobody: {file name: make}. Each is made by the tool that its name tells."""

import io
import re

import pypdf
import xlsxwriter
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from pipeline.documents import Document, render
from tests.contracts.support import image_file, pdf_file
from tests.files.hostile_office import BEGIN, END, PART, inner, instruction
from tests.files.hostile_pdf import CATALOG, LOCKED, address, annotated, attached, linked, pdf, revised, rooted
from tests.files.packages import DOCUMENT, changed, field, package, parts, relation, run, word, workbook

TEXT = '<h1>A</h1><p><a href="https://x.example">b</a></p><table><tr><td>c</td></tr></table>'
DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
NESTED = BEGIN + instruction(" IF ") + inner("PAGE", PART) + instruction(" = 1 a b") + PART + END + "<w:t>DDEAUTO</w:t>"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def ours(kind):
    return lambda: render(kind, Document("A", "en", TEXT, header_left="Draft", logo=image_file("PNG")))


def reportlab_pdf():
    """A PDF of reportlab with an outline, links, bookmarks and a form."""
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 720, "Licence agreement")
    canvas.bookmarkPage("one")
    canvas.addOutlineEntry("Clause 1", "one")
    canvas.linkURL("https://x.example", (0, 0, 99, 99))
    canvas.linkRect("", "one", (0, 0, 9, 9))
    canvas.acroForm.textfield(name="name", x=9, y=9)
    canvas.acroForm.checkbox(name="agreed", x=9, y=99)
    canvas.acroForm.choice(name="seats", value="5", options=["5", "25"], x=9, y=199)
    canvas.save()
    return file.getvalue()


def scanned():
    """Two scanned pages as Pillow writes them."""
    file, page = io.BytesIO(), Image.new("L", (300, 400), "white")
    page.save(file, "PDF", save_all=True, append_images=[page])
    return file.getvalue()


def merged():
    """A contract with its schedule and a log of signatures, by pypdf."""
    writer, file = pypdf.PdfWriter(), io.BytesIO()
    for content in (reportlab_pdf(), scanned()):
        writer.append(io.BytesIO(content))
    writer.add_attachment("log.csv", b"name,when")
    writer.write(file)
    return file.getvalue()


def signed_twice():
    """A PDF with two signatures, each in a revision of its own."""
    content = pdf_file()
    for number in (1, 2):
        names = b" ".join(b"<< /FT /Sig /T (s%d) /V << /Type /Sig /Contents <00> >> >>" % one for one in range(number))
        content = revised(content, 1, CATALOG % (b"/AcroForm << /SigFlags 3 /Fields [ " + names + b" ] >>"))
    return content


# A layer, a soft mask and a page that fades in: they have kinds under /S like actions.
LAYERS = "/OCProperties << /OCGs [5 0 R] /D << >> >>"
MASKED = "/Resources << /ExtGState << /AA << /SMask << /S /Luminosity >> >> /A << /CA 1 >> >> >> /Trans << /S /Fade >>"
COMMENT = ("Highlight", "/Contents (/JavaScript (/JS) /AA)")
PDFS = {
    "ours": ours("pdf"),
    "merged": merged,
    "signed twice": signed_twice,
    "by hand": pdf_file,
    "layers": pdf("<< /Type /OCG /Name (a) >>", catalog=LAYERS, page=MASKED),
    "linearized": annotated(*COMMENT, linearize=True),
    "restricted": annotated(*COMMENT, encryption=LOCKED),
    "invoice": attached("0001", F="factur-x.xml", UF="factur-x.xml"),
    "turns pages": linked("<< /S /Named /N /NextPage >>"),
    "calls": linked(address("tel:+49301234")),
    "no scheme": linked(address("www.x.example/terms")),
    "opens": rooted("/OpenAction << /S /GoTo /D [0 /Fit] >>"),
}


def as_word_does():
    """A document with what Word adds: a template of its author, data, a picture, a text box, links and fields."""
    template = "file:///C:\\Users\\Pat%20Doe\\AppData\\Roaming\\Microsoft\\Templates\\Normal.dotm"
    links = {"rC": "https://x.example/a?b=c", "rD": "mailto:pat@x.example"}
    # With its page, for readers that know its namespace and for others.
    box = f"{{}}<wps:txbx xmlns:wps='wps'><w:txbxContent>{field('PAGE')}</w:txbxContent></wps:txbx>{{}}"
    choice = box.format("<mc:Choice Requires='wps'>", "</mc:Choice>") + box.format("<mc:Fallback>", "</mc:Fallback>")
    boxes = run(f"<mc:AlternateContent xmlns:mc='{COMPATIBILITY}'>{choice}</mc:AlternateContent>")
    link = run(f'<w:hyperlink r:id="rC"/><a:hlinkClick {DRAWING} r:id="rD"/>')
    fields = (' TOC \\o "1-3" \\h', "PAGE", "=SUM(ABOVE)", 'HYPERLINK \\l "_Toc1" \\o "tip"', "ADDIN ZOTERO_ITEM {}")
    return changed(
        word(),
        types='<Default Extension="svg" ContentType="image/svg+xml"/>'
        '<Default Extension="docm" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>',
        relations={
            "word/_rels/settings.xml.rels": relation("attachedTemplate", template, "rT", True),
            "word/_rels/document.xml.rels": relation("customXml", "../customXml/item1.xml", "rA")
            + "".join(relation("hyperlink", target, id, True) for id, target in links.items()),
        },
        inside={DOCUMENT: link + boxes + "".join(map(field, fields)) + run(NESTED)},
        new={
            "customXml/item1.xml": "<b:Sources xmlns:b='a'><dataSource/></b:Sources>",
            "word/media/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"><path id="a" d="M0 0"/><use href="#a"/></svg>',
        },
    )


def strict():
    """A document in the strict edition of the standard, as Word offers it."""
    former = rb"http://schemas\.openxmlformats\.org/(officeDocument|wordprocessingml)/2006/(relationships|main)"
    made = parts(as_word_does())
    strict = rb"http://purl.oclc.org/ooxml/\1/\2"
    return package({name: re.sub(former, strict, content) for name, content in made.items()})


WORDS = {"ours": ours("docx"), "python-docx": word, "Word": as_word_does, "Word, strict": strict}


def xlsxwriter_book():
    """A workbook as Excel writes it: an image, a chart, a comment, a link, choices, a table, formulas of today."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet("Seats | 2026")
        sheet.write_column("A1", [5, 20, 25])
        sheet.write_url("B1", "https://x.example")
        sheet.write_url("B2", "internal:'Seats | 2026'!A1")
        sheet.write_url("B3", "mailto:pat@x.example")
        sheet.write_comment("A1", "Who?")
        sheet.write_dynamic_array_formula("C1", "=SORT(FILTER(A1:A3,A1:A3>5))")
        sheet.write_formula("B4", '=HYPERLINK("https://x.example/"&A2,"terms")')
        sheet.write_formula("B5", '=A1&" | "&B1')
        sheet.add_table("E1:F3", {"name": "Seats"})
        sheet.write_formula("B6", "=SUM(Seats[Column1])")
        sheet.data_validation("G1", {"validate": "list", "source": ["a", "b"]})
        sheet.add_sparkline("D1", {"range": "A1:A3"})
        sheet.conditional_format("A1:A3", {"type": "data_bar", "data_bar_2010": True})
        sheet.insert_image("H1", "a.png", {"image_data": io.BytesIO(image_file("PNG")), "url": "https://x.example"})
        sheet.insert_textbox("H9", "Note")
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "='Seats | 2026'!$A$1:$A$3"})
        sheet.insert_chart("K1", chart)
        book.define_name("Total", "='Seats | 2026'!$A$3")
    return file.getvalue()


BOOKS = {"openpyxl": workbook, "xlsxwriter": xlsxwriter_book}
CSVS = {
    "numbers": "name,seats,price\r\nPat,-5,+1.50\r\nKim,-,-2.5 %\r\n",
    "phones": 'name,phone\nPat,+49 30 1234\nKim,"+1 (555) 12-34"\n',
    "words behind dashes": "name,note\nPat,- none\nKim,@kim\nLee,a=b\nAnn,pat@x.example\n",
    "an export of ours": "name,note\nPat,'=1+1\nKim,\"'+49 (a)\"\n",
    "prose": 'note\n"We need: seats, hosts; support - by Friday (or so) = soon"\n',
    "in UTF-16": "a;b\n-5;é\n".encode("utf-16"),
    "with a mark": "a,b\n1,2\n".encode("utf-8-sig"),
    "an id": "ID;Name\nC;1\n",
    "empty lines": "\n\n a\n",
}
FILES = {
    **{f"{what}.pdf": make for what, make in PDFS.items()},
    **{f"{what}.docx": make for what, make in WORDS.items()},
    **{f"{what}.xlsx": make for what, make in BOOKS.items()},
    **{
        f"{what}.csv": lambda text=text: text if isinstance(text, bytes) else text.encode()
        for what, text in CSVS.items()
    },
    "a text about formulas.txt": lambda: b"=cmd|'/c calc'!A0",
}
