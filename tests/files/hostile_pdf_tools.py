"""More PDFs that act on whoever opens them, made by hand: {what: (make, the reason said)}.

Each `what` completes "A PDF with ...".
"""

import io

import pikepdf

from tests.contracts.support import pdf_file
from tests.files.hostile_pdf import ITSELF, OPENED, PROGRAM, by_reference, linked


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
FILES = {
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
