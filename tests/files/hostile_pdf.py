"""PDFs that act on whoever opens them, made by pikepdf: {what: (make, the reason said)}.

Each `what` completes "A PDF with ...". pikepdf packs its objects into object streams, so no search of the bytes finds
them.
"""

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

PROGRAM, SENDS, LINK = "starts a program", "sends data", "a link to anything but"
FILE, MEDIA, ITSELF, OPENED = "an embedded file", "embedded media", "runs by itself", "runs when it is opened"
NEEDLESS, OUTSIDE = "does not need", "lies in another file"


def packed(change, **options):
    """A function that makes the PDF of one page after change(pdf), in object streams."""

    def make():
        pdf, file = pikepdf.new(), io.BytesIO()
        pdf.add_blank_page()
        change(pdf)
        pdf.save(file, object_stream_mode=pikepdf.ObjectStreamMode.generate, **options)
        return file.getvalue()

    return make


def action(kind, **more):
    return Dictionary(S=Name(f"/{kind}"), **more)


def by_reference(pdf, kind):
    """An action whose kind is a reference to a name."""
    return pdf.make_indirect(Dictionary(S=pdf.make_indirect(Name(f"/{kind}")), F=String("cmd.exe")))


def annotate(pdf, kind="Link", **more):
    """Put an annotation on the page."""
    note = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=Array([0, 0, 99, 99]), **more)
    pdf.pages[0].Annots = pdf.make_indirect(Array([pdf.make_indirect(note)]))


def linked(make, **options):
    """A function that makes a PDF with a link that does make(pdf), an action."""
    return packed(lambda pdf: annotate(pdf, A=make(pdf)), **options)


def rooted(**items):
    """A function that makes a PDF with items in its catalog; functions among them are called with the PDF."""

    def change(pdf):
        for name, item in items.items():
            pdf.Root[f"/{name}"] = item(pdf) if callable(item) else item

    return packed(change)


def specification(pdf, **names):
    """A file specification with a file under these names."""
    held = pdf.make_indirect(Stream(pdf, b"MZ", Type=Name.EmbeddedFile))
    return Dictionary(Type=Name.Filespec, EF=Dictionary(F=held), **{key: String(name) for key, name in names.items()})


def related(pdf):
    """An array of a file specification with a related file."""
    file = specification(pdf, UF="invoice.xml")
    file.RF = Dictionary(UF=Array([String("invoice.exe"), file.EF.F]))
    return Array([file])


def tree(pdf, key, file):
    """A name tree of three levels that leads to a file specification."""
    leaf = Dictionary(Names=Array([String(key), file]))
    return Dictionary(EmbeddedFiles=Dictionary(Kids=Array([pdf.make_indirect(Dictionary(Kids=Array([leaf])))])))


def attached(key="a", **names):
    """A function that makes a PDF that attaches a file by a nested name tree."""
    return rooted(Names=lambda pdf: tree(pdf, key, specification(pdf, **names)))


def chain(pdf, last, links=4):
    """An action that shows a page, followed by others of its kind, then by `last`."""
    for _ in range(links):
        last = pdf.make_indirect(action("GoTo", D=Array([0, Name.Fit]), Next=Array([last])))
    return last


def fielded(**more):
    """A function that makes a PDF with a form of one field."""
    field = {"T": String("a"), "FT": Name.Tx, **more}
    return rooted(AcroForm=lambda pdf: Dictionary(Fields=Array([pdf.make_indirect(Dictionary(**field))])))


def widget(pdf, **more):
    annotate(pdf, "Widget", FT=Name.Btn, T=String("go"), **more)
    pdf.Root.AcroForm = Dictionary(Fields=pdf.pages[0].Annots)


def with_page(**items):
    return packed(lambda pdf: pdf.pages[0].obj.update({f"/{name}": item for name, item in items.items()}))


def referring(pdf):
    """Put a drawing on the page that shows a page of another file."""
    form = Stream(pdf, b"", Type=Name.XObject, Subtype=Name.Form, Ref=Dictionary(F=String("//host/a.pdf"), Page=0))
    pdf.pages[0].Resources = Dictionary(XObject=Dictionary(A=pdf.make_indirect(form)))


def outline(pdf):
    item = pdf.make_indirect(Dictionary(Title=String("Clause 1"), A=by_reference(pdf, "Launch")))
    return Dictionary(Type=Name.Outlines, First=item, Last=item, Count=1)


JS = action("JavaScript", JS=String("app.alert(1)"))

FILES = {
    "an action that names Launch by a reference": (linked(lambda pdf: by_reference(pdf, "Launch")), PROGRAM),
    "an action that names SubmitForm by a reference": (linked(lambda pdf: by_reference(pdf, "SubmitForm")), SENDS),
    "an action that names JavaScript by a reference": (
        linked(lambda pdf: by_reference(pdf, "JavaScript")),
        "JavaScript",
    ),
    "a program by a reference, encrypted": (
        linked(lambda pdf: by_reference(pdf, "Launch"), encryption=pikepdf.Encryption(owner="o", user="", R=6)),
        PROGRAM,
    ),
    "a program by a reference, linearized": (linked(lambda pdf: by_reference(pdf, "Launch"), linearize=True), PROGRAM),
    "a place to open at, and then an address": (
        rooted(OpenAction=lambda pdf: chain(pdf, action("URI", URI=String("https://x.example")))),
        OPENED,
    ),
    "a place to open at, and then a program": (
        rooted(OpenAction=lambda pdf: chain(pdf, by_reference(pdf, "Launch"))),
        OPENED,
    ),
    "an endless chain of actions at the opening": (
        rooted(OpenAction=lambda pdf: chain(pdf, action("GoTo", D=String("a")), links=200)),
        OPENED,
    ),
    "a script at the opening": (rooted(OpenAction=JS), OPENED),
    "a link that shows a page, and then a script": (linked(lambda pdf: chain(pdf, JS)), "JavaScript"),
    "a link with a second action for the web": (
        packed(lambda pdf: annotate(pdf, PA=by_reference(pdf, "Launch"))),
        PROGRAM,
    ),
    "a chapter that starts a program": (rooted(Outlines=outline), PROGRAM),
    "a step of a presentation that starts a program": (
        packed(lambda pdf: pdf.pages[0].obj.update({"/PresSteps": Dictionary(NA=by_reference(pdf, "Launch"))})),
        PROGRAM,
    ),
    "an attached program in a nested name tree": (attached(F="invoice.exe", UF="invoice.exe"), FILE),
    "an attached program whose second name is its own": (attached(F="invoice.xml", UF="invoice.exe"), FILE),
    "an attached program by its DOS name": (attached(F="invoice.xml", DOS="INVOICE.EXE"), FILE),
    "an attached program by its Unix name": (attached(UF="invoice.xml", Unix="invoice.sh"), FILE),
    "an attached program by its Mac name": (attached(UF="invoice.xml", Mac="invoice.app"), FILE),
    "an attached program by its name in the tree": (attached("invoice.exe", UF="invoice.xml"), FILE),
    "an attached file without a name": (attached(), FILE),
    "a program attached as an array": (
        rooted(AF=lambda pdf: Array([Dictionary(F=String("a.exe"), EF=Array([specification(pdf).EF.F]))])),
        FILE,
    ),
    "an attached program whose name reads backwards": (attached(UF="invoice\u202elmx.exe.xml"), FILE),
    "an attached file with another one beside it": (rooted(AF=related), FILE),
    "an associated program in an array": (rooted(AF=lambda pdf: Array([specification(pdf, UF="invoice.exe")])), FILE),
    "a program pinned to the page": (
        packed(lambda pdf: annotate(pdf, "FileAttachment", FS=specification(pdf, F="invoice.exe"))),
        FILE,
    ),
    "a file of a share pinned to the page": (
        packed(lambda pdf: annotate(pdf, "FileAttachment", FS=Dictionary(F=String("\\\\host\\a.txt")))),
        OUTSIDE,
    ),
    "a portfolio of files": (rooted(Collection=Dictionary(View=Name.T)), "portfolio"),
    "an action when the page opens": (
        with_page(AA=Dictionary(O=action("URI", URI=String("https://x.example")))),
        ITSELF,
    ),
    "an action when the document closes": (rooted(AA=lambda pdf: Dictionary(WC=by_reference(pdf, "Named"))), ITSELF),
    "a field that acts at each key": (fielded(AA=Dictionary(K=JS)), ITSELF),
    "a field that calculates by a script": (
        fielded(AA=Dictionary(C=Dictionary(S=Name.JavaScript, JS=String("x")))),
        ITSELF,
    ),
    "a button that sends the form": (
        packed(lambda pdf: widget(pdf, A=action("SubmitForm", F=String("https://x.example")))),
        SENDS,
    ),
    "a button that clears the form": (packed(lambda pdf: widget(pdf, A=action("ResetForm"))), NEEDLESS),
    "a button that hides a field": (packed(lambda pdf: widget(pdf, A=action("Hide", T=String("price")))), NEEDLESS),
    "a link that hides a layer": (linked(lambda pdf: action("SetOCGState", State=Array([]))), NEEDLESS),
    "a link that prints": (linked(lambda pdf: action("Named", N=Name.Print)), NEEDLESS),
    "a link into another file": (linked(lambda pdf: action("GoToR", F=String("//host/a.pdf"))), "opens another file"),
    "a link to an article of another file": (linked(lambda pdf: action("Thread", F=String("//host/a.pdf"))), NEEDLESS),
    "a link of a kind that nobody knows": (linked(lambda pdf: action("Teleport")), NEEDLESS),
    "a link to a file": (linked(lambda pdf: action("URI", URI=String("file:///c:/a.exe"))), LINK),
    "a link that is a script": (linked(lambda pdf: action("URI", URI=String("JavaScript:alert(1)"))), LINK),
    "a link to a share": (linked(lambda pdf: action("URI", URI=String("\\\\host\\share"))), LINK),
    "a link that starts a program of the system": (linked(lambda pdf: action("URI", URI=String("search-ms:a"))), LINK),
    "a link whose address is a reference": (
        linked(lambda pdf: action("URI", URI=pdf.make_indirect(String("file://host/a")))),
        LINK,
    ),
    "links that are relative to a file": (rooted(URI=Dictionary(Base=String("file://host/"))), LINK),
    "scripts in a name tree": (
        rooted(Names=lambda pdf: Dictionary(JavaScript=Dictionary(Kids=Array([Dictionary(Names=Array(["a", JS]))])))),
        "JavaScript",
    ),
    "media in a name tree": (rooted(Names=Dictionary(Renditions=Dictionary(Names=Array([])))), NEEDLESS),
    "a screen for a film": (packed(lambda pdf: annotate(pdf, "Screen")), NEEDLESS),
    "a film": (packed(lambda pdf: annotate(pdf, "Movie", Movie=Dictionary(F=String("//host/a.mov")))), NEEDLESS),
    "a Flash film": (packed(lambda pdf: annotate(pdf, "RichMedia", RichMediaContent=Dictionary())), NEEDLESS),
    "an annotation of its own kind with a Flash film": (
        packed(lambda pdf: annotate(pdf, "Text", RichMediaContent=Dictionary())),
        MEDIA,
    ),
    "a model in three dimensions": (packed(lambda pdf: annotate(pdf, "3D")), NEEDLESS),
    "a dynamic form": (rooted(AcroForm=lambda pdf: Dictionary(XFA=pdf.make_indirect(Stream(pdf, b"<a/>")))), "XFA"),
    "a page of another file": (packed(referring), OUTSIDE),
    "content of another file": (
        rooted(X=lambda pdf: pdf.make_indirect(Stream(pdf, b"", F=String("//host/a")))),
        OUTSIDE,
    ),
}
