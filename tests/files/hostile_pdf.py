"""PDFs that act on whoever opens them: {what: (make, the reason said)}; each `what` completes "A PDF with ...".

Most are made by pikepdf, which packs objects into object streams, so that no search of the bytes finds them. An item of
such a PDF may be a function of it.
"""

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from tests.contracts.support import pdf_file

PROGRAM, SENDS, LINK = "starts a program", "sends data", "a link to anything but"
FILE, MEDIA, ITSELF, OPENED = "an embedded file", "embedded media", "runs by itself", "runs when it is opened"
NEEDLESS, OUTSIDE = "does not need", "lies in another file"


def of(pdf, item):
    return item(pdf) if callable(item) else item


def made(pdf, items):
    return {name: of(pdf, item) for name, item in items.items()}


def packed(change, **options):
    """A function that makes the PDF of one page after change(pdf), in object streams."""

    def make():
        pdf, file = pikepdf.new(), io.BytesIO()
        pdf.add_blank_page()
        change(pdf)
        pdf.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate, **options)
        return file.getvalue()

    return make


def rooted(**items):
    """A function that makes a PDF with items in its catalog."""
    return packed(lambda pdf: pdf.Root.update({f"/{name}": item for name, item in made(pdf, items).items()}))


def with_page(**items):
    """A function that makes a PDF with items in its page."""
    return packed(lambda pdf: pdf.pages[0].obj.update({f"/{name}": item for name, item in made(pdf, items).items()}))


def annotate(pdf, kind, **items):
    """Put an annotation on the page."""
    note = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=Array([0, 0, 99, 99]), **made(pdf, items))
    pdf.pages[0].Annots = pdf.make_indirect(Array([pdf.make_indirect(note)]))
    if kind == "Widget":
        pdf.Root.AcroForm = Dictionary(Fields=pdf.pages[0].Annots)


def annotated(kind, **items):
    """A function that makes a PDF with an annotation."""
    return packed(lambda pdf: annotate(pdf, kind, **items))


def linked(act, **options):
    """A function that makes a PDF with a link that does an action."""
    return packed(lambda pdf: annotate(pdf, "Link", A=act), **options)


def action(kind, **more):
    return Dictionary(S=Name(f"/{kind}"), **more)


def address(text):
    """The action that opens an address."""
    return action("URI", URI=String(text))


def referred(kind):
    """An action whose kind is a reference to a name."""
    return lambda pdf: pdf.make_indirect(Dictionary(S=pdf.make_indirect(Name(f"/{kind}")), F=String("cmd.exe")))


def chained(last, links=4):
    """An action that shows a page, followed by others of its kind, then by `last`."""

    def make(pdf):
        act = of(pdf, last)
        for _ in range(links):
            act = pdf.make_indirect(action("GoTo", D=Array([0, Name.Fit]), Next=Array([act])))
        return act

    return make


def holding(**items):
    return lambda pdf: Dictionary(**made(pdf, items))


def stream(content, **items):
    return lambda pdf: pdf.make_indirect(Stream(pdf, content, **items))


def specification(**names):
    """A file specification with a file under these names."""
    file = holding(F=stream(b"MZ", Type=Name.EmbeddedFile))
    return holding(Type=Name.Filespec, EF=file, **{key: String(name) for key, name in names.items()})


def tree(key, file):
    """A name tree of three levels that leads to a file specification."""

    def make(pdf):
        leaf = Dictionary(Names=Array([String(key), file(pdf)]))
        return Dictionary(EmbeddedFiles=Dictionary(Kids=Array([pdf.make_indirect(Dictionary(Kids=Array([leaf])))])))

    return make


def attached(key="a", **names):
    """A function that makes a PDF that attaches a file by a nested name tree."""
    return rooted(Names=tree(key, specification(**names)))


def in_array(pdf):
    """A file specification whose file stands in an array."""
    return Array([Dictionary(F=String("a.exe"), EF=Array([specification()(pdf).EF.F]))])


def beside(pdf):
    """A file specification with a related file."""
    file = specification(UF="invoice.xml")(pdf)
    file.RF = Dictionary(UF=Array([String("invoice.exe"), file.EF.F]))
    return Array([file])


def scripts(pdf):
    """A name tree of scripts."""
    return Dictionary(JavaScript=Dictionary(Kids=Array([Dictionary(Names=Array(["a", JS]))])))


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
    first = linked(LAUNCH)()
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


def in_two_ways():
    """A PDF with an action that has two kinds."""
    return pdf_file(catalog=b" /Outlines << /First << /A << /S /Lau#6ech /S /GoTo /D [0 /Fit] >> >> >>")


CATALOG = b"<< /Type /Catalog /Pages 2 0 R %s >>"
LAUNCH, JS = referred("Launch"), action("JavaScript", JS=String("app.alert(1)"))
WEB, SHOWN = address("https://x.example"), action("GoTo", D=String("a"))
LOCKED = pikepdf.Encryption(owner="o", user="", R=6)
ELSEWHERE = Dictionary(F=String("//host/a.pdf"))
DRAWING = stream(b"", Type=Name.XObject, Subtype=Name.Form, Ref=ELSEWHERE)

FILES = {
    "an action that names Launch by a reference": (linked(LAUNCH), PROGRAM),
    "an action that names JavaScript by a reference": (linked(referred("JavaScript")), "JavaScript"),
    "a program by a reference, encrypted": (linked(LAUNCH, encryption=LOCKED), PROGRAM),
    "a program by a reference, linearized": (linked(LAUNCH, linearize=True), PROGRAM),
    "a place to open at, and then an address": (rooted(OpenAction=chained(WEB)), OPENED),
    "an endless chain of actions at the opening": (rooted(OpenAction=chained(SHOWN, 200)), OPENED),
    "a script at the opening": (rooted(OpenAction=JS), OPENED),
    "a link that shows a page, and then a script": (linked(chained(JS)), "JavaScript"),
    "a link with a second action for the web": (annotated("Link", PA=LAUNCH), PROGRAM),
    "a step of a presentation that starts a program": (with_page(PresSteps=holding(NA=LAUNCH)), PROGRAM),
    "an attached program in a nested name tree": (attached(F="invoice.exe", UF="invoice.exe"), FILE),
    "an attached program whose second name is its own": (attached(F="invoice.xml", UF="invoice.exe"), FILE),
    "an attached program by its DOS name": (attached(F="invoice.xml", DOS="INVOICE.EXE"), FILE),
    "an attached program by its Unix name": (attached(UF="invoice.xml", Unix="invoice.sh"), FILE),
    "an attached program by its Mac name": (attached(UF="invoice.xml", Mac="invoice.app"), FILE),
    "an attached program by its name in the tree": (attached("invoice.exe", UF="invoice.xml"), FILE),
    "an attached program whose name reads backwards": (attached(UF="invoice\u202elmx.exe.xml"), FILE),
    "an attached file without a name": (attached(), FILE),
    "an associated program in an array": (rooted(AF=in_array), FILE),
    "an associated file with another one beside it": (rooted(AF=beside), FILE),
    "a program pinned to the page": (annotated("FileAttachment", FS=specification(F="invoice.exe")), FILE),
    "a file of a share pinned to the page": (annotated("FileAttachment", FS=ELSEWHERE), OUTSIDE),
    "a portfolio of files": (rooted(Collection=Dictionary(View=Name.T)), "portfolio"),
    "an action when the page opens": (with_page(AA=Dictionary(O=WEB)), ITSELF),
    "an action when the document closes": (rooted(AA=holding(WC=referred("Named"))), ITSELF),
    "a field that acts at each key": (annotated("Widget", AA=Dictionary(K=JS)), ITSELF),
    "a button that sends the form": (annotated("Widget", A=action("SubmitForm", F=String("x"))), SENDS),
    "a button that clears the form": (annotated("Widget", A=action("ResetForm")), NEEDLESS),
    "a link that prints": (linked(action("Named", N=Name.Print)), NEEDLESS),
    "a link into another file": (linked(action("GoToR", F=String("//host/a.pdf"))), "opens another file"),
    "a link of a kind that nobody knows": (linked(action("Teleport")), NEEDLESS),
    "a link to a file": (linked(address("file:///c:/a.exe")), LINK),
    "a link that is a script": (linked(address("JavaScript:alert(1)")), LINK),
    "a link to a share": (linked(address("\\\\host\\share")), LINK),
    "a link that starts a program of the system": (linked(address("search-ms:a")), LINK),
    "a link whose address is a reference": (
        linked(holding(S=Name.URI, URI=lambda pdf: pdf.make_indirect(String("file://host/a")))),
        LINK,
    ),
    "links that are relative to a file": (rooted(URI=Dictionary(Base=String("file://host/"))), LINK),
    "scripts in a name tree": (rooted(Names=scripts), "JavaScript"),
    "media in a name tree": (rooted(Names=Dictionary(Renditions=Dictionary(Names=Array([])))), NEEDLESS),
    "a film": (annotated("Movie", Movie=Dictionary(F=String("//host/a.mov"))), NEEDLESS),
    "an annotation of its own kind with a Flash film": (annotated("Text", RichMediaContent=Dictionary()), MEDIA),
    "a dynamic form": (rooted(AcroForm=holding(XFA=stream(b"<a/>"))), "XFA"),
    "a page of another file": (with_page(Resources=holding(XObject=holding(A=DRAWING))), OUTSIDE),
    "content of another file": (rooted(X=stream(b"", F=String("//host/a"))), OUTSIDE),
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
    "an action with two kinds": (in_two_ways, "in two ways"),
    "a program that no table names": (lambda: pdf_file(b"\n9 0 obj\n<< /S /Launch >>\nendobj"), PROGRAM),
    "a thousand revisions": (lambda: pdf_file(b"\nstartxref\n9\n%%EOF" * 1000), "more revisions"),
}
