"""More PDFs that act on whoever opens them, made by pypdf, reportlab and by hand: {what: (make, the reason said)}.

Each `what` completes "A PDF with ...".
"""

import io

import pikepdf
import pypdf
from pypdf.annotations import Link
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject
from reportlab.pdfgen.canvas import Canvas

from tests.contracts.support import pdf_file
from tests.files.hostile_pdf import FILE, ITSELF, LINK, OPENED, PROGRAM, by_reference, linked


def written(change):
    """A function that makes a PDF with pypdf."""

    def make():
        writer, file = pypdf.PdfWriter(), io.BytesIO()
        writer.add_blank_page(100, 100)
        change(writer)
        writer.write(file)
        return file.getvalue()

    return make


def scripted(writer):
    """Let a script run at the opening."""
    kind, script = writer._add_object(NameObject("/JavaScript")), TextStringObject("app.alert(1)")
    names = ArrayObject([TextStringObject("a"), DictionaryObject({NameObject("/S"): kind, NameObject("/JS"): script})])
    leaf = DictionaryObject({NameObject("/Names"): names})
    writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/JavaScript"): leaf})


def launching(writer):
    """Let the link of a page start a program."""
    kind = writer._add_object(NameObject("/Launch"))
    act = DictionaryObject({NameObject("/S"): kind, NameObject("/F"): TextStringObject("cmd.exe")})
    link = Link(rect=(0, 0, 9, 9), url="https://x.example")
    link[NameObject("/A")] = writer._add_object(act)
    writer.add_annotation(0, link)


PYPDF = {
    "a script, made by pypdf": (written(scripted), "JavaScript"),
    "a program attached, made by pypdf": (written(lambda writer: writer.add_attachment("a.exe", b"MZ")), FILE),
    "a link to a file, made by pypdf": (
        written(lambda writer: writer.add_annotation(0, Link(rect=(0, 0, 9, 9), url="file:///a"))),
        LINK,
    ),
    "a program by a reference, made by pypdf": (written(launching), PROGRAM),
}


def drawn(change):
    """A function that makes a PDF with reportlab."""

    def make():
        file = io.BytesIO()
        canvas = Canvas(file, invariant=True)
        canvas.drawString(72, 720, "Licence agreement")
        change(canvas)
        canvas.save()
        return file.getvalue()

    return make


REPORTLAB = {
    "a link to a file, made by reportlab": (
        drawn(lambda canvas: canvas.linkURL("file:///c:/a.exe", (0, 0, 99, 99))),
        LINK,
    ),
    "a link into another file, made by reportlab": (
        drawn(lambda canvas: canvas.linkURL("//host/a.pdf", (0, 0, 99, 99), kind="GoToR")),
        "opens another file",
    ),
    "a script at the opening, made by reportlab": (
        drawn(lambda canvas: canvas.setCatalogEntry("OpenAction", "<< /S /JavaScript /JS (app.alert\\(1\\)) >>")),
        "JavaScript",
    ),
}


def revised(first, number, body):
    """A PDF with a revision behind it that writes an object anew, as a signature appends one."""
    former = int(first[first.rindex(b"startxref") :].split()[1])
    new, added = len(first), b"%d 0 obj\n%s\nendobj\n" % (number, body)
    with pikepdf.open(io.BytesIO(first)) as pdf:
        root, size = pdf.Root.objgen[0], len(pdf.objects) + 1
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Prev %d >>\n" % (
        number,
        new,
        size,
        root,
        former,
    )
    return first + added + table + b"startxref\n%d\n%%%%EOF\n" % (new + len(added))


def replaced():
    """A PDF whose first revision starts a program; the second says that it does not."""
    first = linked(lambda pdf: by_reference(pdf, "Launch"))()
    with pikepdf.open(io.BytesIO(first)) as pdf:
        number = pdf.pages[0].Annots[0].A.objgen[0]
    return revised(first, number, b"<< /S /GoTo /D [0 /Fit] >>")


def in_trailer():
    """A PDF whose catalog is no object of its own."""
    root = b"/Root << /Type /Catalog /Pages 2 0 R /OpenAction << /S /Lau#6ech /F (cmd.exe) >> >>"
    return pdf_file().replace(b"/Root 1 0 R", root)


CATALOG = b"<< /Type /Catalog /Pages 2 0 R %s >>"
BY_HAND = {
    "a program in a revision that a later one hides": (replaced, PROGRAM),
    "a program that a later revision adds": (
        lambda: revised(pdf_file(), 1, CATALOG % b"/Outlines << /First << /A << /S /L#61unch /F (a) >> >> >>"),
        PROGRAM,
    ),
    "an action when the document is saved, added by a revision": (
        lambda: revised(pdf_file(), 1, CATALOG % b"/A#41 << /WS << /S /Named /N /SaveAs >> >>"),
        ITSELF,
    ),
    "a catalog in its trailer that starts a program": (in_trailer, OPENED),
    "an action with two kinds": (
        lambda: pdf_file(catalog=b" /Outlines << /First << /A << /S /Lau#6ech /S /GoTo /D [0 /Fit] >> >> >>"),
        "in two ways",
    ),
    "a program that no table names": (lambda: pdf_file(b"\n9 0 obj\n<< /S /Launch >>\nendobj"), PROGRAM),
    "a thousand revisions": (lambda: pdf_file(b"\nstartxref\n9\n%%EOF" * 1000), "more revisions"),
}

FILES = {**PYPDF, **REPORTLAB, **BY_HAND}
