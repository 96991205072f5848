"""Files that LibreOffice makes of pages: harmless ones, and ones with active content."""

from tests.documents.support import Office

HARMLESS = """<html><head><title>Licence agreement</title></head><body>
<h1>1. Grant</h1><p>See <a href="https://x.example/terms">the terms</a>, <a href="#fees">the fees</a>, or write to
<a href="mailto:pat@x.example">Pat</a>.</p><h1 id="fees">2. Fees</h1><ul><li>Seats</li></ul>
<table border="1"><tr><th>Seats</th><td>25</td></tr></table></body></html>"""
LINK = '<html><body><p>See <a href="file:///c:/evil/a.exe">the terms</a>.</p></body></html>'
IMAGE = '<html><body><p>Signed</p><img src="http://localhost:9/a.png" width="9" height="9"></body></html>'
FORM = """<html><body><form action="https://x.example/take" method="post"><input type="text" name="a">
<input type="submit" value="Agree"></form></body></html>"""
# {what: (page, kind of file, the reason said, None for a harmless one)}
FILES = {
    "a link to a file, as PDF": (LINK, "pdf", "a link to anything but"),
    "a link to a file, as Word document": (LINK, "docx", "a link to anything but"),
    "an image of the web, as Word document": (IMAGE, "docx", "loaded from elsewhere"),
    "a button that sends a form, as PDF": (FORM, "pdf", "sends data"),
    "harmless links and a table, as PDF": (HARMLESS, "pdf", None),
    "harmless links and a table, as Word document": (HARMLESS, "docx", None),
}


def files(folder):
    """{what: content} of FILES; `folder` is for LibreOffice to work in."""
    office, made = Office(folder), {}
    for kind in ("pdf", "docx"):
        of_kind = [what for what, (_page, target, _reason) in FILES.items() if target == kind]
        sources = [folder / f"page-{kind}-{number}.html" for number in range(len(of_kind))]
        for source, what in zip(sources, of_kind, strict=True):
            source.write_text(FILES[what][0])
        made |= zip(of_kind, office.converted(sources, kind, "--infilter=HTML (StarWriter)"), strict=True)
    return made
