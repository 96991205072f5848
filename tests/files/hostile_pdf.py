"""PDFs that act on whoever opens them: {what: (make, the reason said)}; each `what` completes "A PDF with ...".

pikepdf packs most of them into object streams, so that no search of the bytes finds anything.
"""

import io

import pikepdf

from tests.contracts.support import pdf_file

PROGRAM, SENDS, LINK = "starts a program", "sends data", "a link to anything but"
FILE, MEDIA, ITSELF, OPENED = "an embedded file", "embedded media", "runs by itself", "runs when it is opened"
NEEDLESS, OUTSIDE = "does not need", "lies in another file"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R %s >>"
LOCKED = pikepdf.Encryption(owner="o", user="", R=6)
WEB, JS = "<< /S /URI /URI (https://x.example) >>", "<< /S /JavaScript /JS (app.alert(1)) >>"
# An action whose kind is a reference to a name, as the objects 5 and 6.
LAUNCH = ("<< /S 6 0 R /F (cmd.exe) >>", "/Launch")


def pdf(*objects, catalog="", page="", note="null", **options):
    """A function that makes a PDF of one page; its further objects are numbered from 5. options: of pikepdf's save."""
    written = (
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R] {page} >>",
        *(note, *objects),
    )

    def make():
        file, plain, places = io.BytesIO(), "%PDF-1.7\n", []
        for number, text in enumerate(written, 1):
            places.append(len(plain))
            plain += f"{number} 0 obj\n{text}\nendobj\n"
        table = "".join(f"{place:010} 00000 n \n" for place in (0, *places))
        end = f"trailer << /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{len(plain)}\n%%EOF\n"
        with pikepdf.open(io.BytesIO(f"{plain}xref\n0 {len(places) + 1}\n{table}{end}".encode())) as read:
            read.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate, **options)
        return file.getvalue()

    return make


def rooted(items, *objects):
    """A PDF with items in its catalog."""
    return pdf(*objects, catalog=items)


def annotated(kind, items, *objects, **options):
    """A PDF with an annotation."""
    catalog = "/AcroForm << /Fields [4 0 R] >>" if kind == "Widget" else ""
    note = f"<< /Type /Annot /Subtype /{kind} /Rect [0 0 99 99] {items} >>"
    return pdf(*objects, catalog=catalog, note=note, **options)


def linked(*objects, **options):
    """A PDF with a link that does an action, the first of these objects."""
    return annotated("Link", "/A 5 0 R", *objects, **options)


def address(text):
    """The action that opens an address."""
    return "<< /S /URI /URI ({}) >>".format(text.replace("\\", "\\\\"))


def chained(last, links=4):
    """An action that shows a page, followed by others of its kind, then by `last`."""
    return *(f"<< /S /GoTo /D [0 /Fit] /Next [{6 + number} 0 R] >>" for number in range(links)), last


def stream(content="", items=""):
    return f"<< /Length {len(content)} {items} >>\nstream\n{content}\nendstream"


def specification(more="", **names):
    """A file specification with a file under these names, as two objects."""
    named = " ".join(f"/{key} <feff{name.encode('utf-16-be').hex()}>" for key, name in names.items())
    return f"<< /Type /Filespec /EF << /F 6 0 R >> {named} {more} >>", stream("MZ", "/Type /EmbeddedFile")


def attached(key="a", **names):
    """A PDF that attaches a file by a name tree of three levels."""
    tree = f"/Kids [<< /Kids [<< /Names [({key}) 5 0 R] >>] >>]"
    return rooted(f"/Names << /EmbeddedFiles << {tree} >> >>", *specification(**names))


def revised(first, number, body):
    """A PDF with a revision behind it that writes an object anew, as a signature appends one."""
    former = int(first[first.rindex(b"startxref") :].split()[1])
    new, added = len(first), b"%d 0 obj\n%s\nendobj\n" % (number, body)
    with pikepdf.open(io.BytesIO(first)) as pdf:
        facts = number, new, len(pdf.objects) + 1, pdf.Root.objgen[0], former
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer\n<< /Size %d /Root %d 0 R /Prev %d >>\n" % facts
    return first + added + table + b"startxref\n%d\n%%%%EOF\n" % (new + len(added))


def hidden():
    """A PDF whose first revision starts a program; the second says that it does not."""
    first = linked(*LAUNCH)()
    with pikepdf.open(io.BytesIO(first)) as pdf:
        number = pdf.pages[0].Annots[0].A.objgen[0]
    return revised(first, number, b"<< /S /GoTo /D [0 /Fit] >>")


def with_later(catalog):
    """A function that makes a PDF whose second revision adds items to its catalog."""
    return lambda: revised(pdf_file(), 1, CATALOG % catalog)


def by_trailer():
    """A PDF whose catalog is no object of its own."""
    root = b"/Root << /Type /Catalog /Pages 2 0 R /OpenAction << /S /Lau#6ech /F (cmd.exe) >> >>"
    return pdf_file().replace(b"/Root 1 0 R", root)


SHOWN, ELSEWHERE = "<< /S /GoTo /D (a) >>", "<< /F (//host/a.pdf) >>"
DRAWING = stream(items=f"/Type /XObject /Subtype /Form /Ref {ELSEWHERE}")
FILES = {
    "an action that names Launch by a reference": (linked(*LAUNCH), PROGRAM),
    "an action that names JavaScript by a reference": (linked("<< /S 6 0 R >>", "/JavaScript"), "JavaScript"),
    "a program by a reference, encrypted": (linked(*LAUNCH, encryption=LOCKED), PROGRAM),
    "a program by a reference, linearized": (linked(*LAUNCH, linearize=True), PROGRAM),
    "a place to open at, and then an address": (rooted("/OpenAction 5 0 R", *chained(WEB)), OPENED),
    "an endless chain of actions at the opening": (rooted("/OpenAction 5 0 R", *chained(SHOWN, 200)), OPENED),
    "a script at the opening": (rooted(f"/OpenAction {JS}"), OPENED),
    "a link that shows a page, and then a script": (linked(*chained(JS)), "JavaScript"),
    "a link with a second action for the web": (annotated("Link", "/PA 5 0 R", *LAUNCH), PROGRAM),
    "a step of a presentation that starts a program": (pdf(*LAUNCH, page="/PresSteps << /NA 5 0 R >>"), PROGRAM),
    "an attached program in a nested name tree": (attached(F="invoice.exe", UF="invoice.exe"), FILE),
    "an attached program whose second name is its own": (attached(F="invoice.xml", UF="invoice.exe"), FILE),
    "an attached program by its DOS name": (attached(F="invoice.xml", DOS="INVOICE.EXE"), FILE),
    "an attached program by its Unix name": (attached(UF="invoice.xml", Unix="invoice.sh"), FILE),
    "an attached program by its Mac name": (attached(UF="invoice.xml", Mac="invoice.app"), FILE),
    "an attached program by its name in the tree": (attached("invoice.exe", UF="invoice.xml"), FILE),
    "an attached program whose name reads backwards": (attached(UF="invoice\u202elmx.exe.xml"), FILE),
    "an attached file without a name": (attached(), FILE),
    "an associated program in an array": (rooted("/AF [<< /F (a.exe) /EF [6 0 R] >>]", *specification()), FILE),
    "an associated file with another one beside it": (
        rooted("/AF [5 0 R]", *specification("/RF << /UF [(invoice.exe) 6 0 R] >>", UF="invoice.xml")),
        FILE,
    ),
    "a program pinned to the page": (annotated("FileAttachment", "/FS 5 0 R", *specification(F="invoice.exe")), FILE),
    "a file of a share pinned to the page": (annotated("FileAttachment", f"/FS {ELSEWHERE}"), OUTSIDE),
    "a portfolio of files": (rooted("/Collection << /View /T >>"), "portfolio"),
    "an action when the page opens": (pdf(page=f"/AA << /O {WEB} >>"), ITSELF),
    "an action when the document closes": (rooted("/AA << /WC << /S 5 0 R >> >>", "/Named"), ITSELF),
    "a field that acts at each key": (annotated("Widget", f"/AA << /K {JS} >>"), ITSELF),
    "a button that sends the form": (annotated("Widget", "/A << /S /SubmitForm /F (x) >>"), SENDS),
    "a button that clears the form": (annotated("Widget", "/A << /S /ResetForm >>"), NEEDLESS),
    "a link that prints": (linked("<< /S /Named /N /Print >>"), NEEDLESS),
    "a link into another file": (linked("<< /S /GoToR /F (//host/a.pdf) >>"), "opens another file"),
    "a link of a kind that nobody knows": (linked("<< /S /Teleport >>"), NEEDLESS),
    "a link to a file": (linked(address("file:///c:/a.exe")), LINK),
    "a link that is a script": (linked(address("JavaScript:alert(1)")), LINK),
    "a link to a share": (linked(address("\\\\host\\share")), LINK),
    "a link that starts a program of the system": (linked(address("search-ms:a")), LINK),
    "a link whose address is a reference": (linked("<< /S /URI /URI 6 0 R >>", "(file://host/a)"), LINK),
    "links that are relative to a file": (rooted("/URI << /Base (file://host/) >>"), LINK),
    "scripts in a name tree": (rooted(f"/Names << /JavaScript << /Kids [<< /Names [(a) {JS}] >>] >> >>"), "JavaScript"),
    "media in a name tree": (rooted("/Names << /Renditions << /Names [] >> >>"), NEEDLESS),
    "a film": (annotated("Movie", "/Movie << /F (//host/a.mov) >>"), NEEDLESS),
    "an annotation of its own kind with a Flash film": (annotated("Text", "/RichMediaContent << >>"), MEDIA),
    "a dynamic form": (rooted("/AcroForm << /XFA 5 0 R >>", stream("<a/>")), "XFA"),
    "a page of another file": (pdf(DRAWING, page="/Resources << /XObject << /A 5 0 R >> >>"), OUTSIDE),
    "content of another file": (rooted("/X 5 0 R", stream(items="/F (//host/a)")), OUTSIDE),
    "a program in a revision that a later one hides": (hidden, PROGRAM),
    "a program that a later revision adds": (
        with_later(b"/Outlines << /First << /A << /S /L#61unch /F (a) >> >> >>"),
        PROGRAM,
    ),
    "an action when the document is saved, added by a revision": (
        with_later(b"/A#41 << /WS << /S /Named /N /SaveAs >> >>"),
        ITSELF,
    ),
    "a catalog in its trailer that starts a program": (by_trailer, OPENED),
    "an action with two kinds": (
        lambda: pdf_file(catalog=b" /Outlines << /First << /A << /S /Lau#6ech /S /GoTo /D [0 /Fit] >> >> >>"),
        "in two ways",
    ),
    "a program that no table names": (lambda: pdf_file(b"\n9 0 obj\n<< /S /Launch >>\nendobj"), PROGRAM),
    "a thousand revisions": (lambda: pdf_file(b"\nstartxref\n9\n%%EOF" * 1000), "more revisions"),
}
