import io
import re
import zipfile
from xml.sax.saxutils import quoteattr

import docx
import openpyxl

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MICROSOFT = "http://schemas.microsoft.com/office/2011/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DOCUMENT, SHEET = "word/document.xml", "xl/worksheets/sheet1.xml"
TYPES, ROOT = "[Content_Types].xml", "_rels/.rels"


def word():
    document, file = docx.Document(), io.BytesIO()
    document.add_heading("Licence agreement")
    document.add_paragraph("The licensee may install the software.")
    document.save(file)
    return file.getvalue()


def workbook(change=lambda book: None):
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["Seats", 25])
    change(book)
    book.save(file)
    return file.getvalue()


def parts(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def package(parts):
    """The Office file of these parts; its content types come first, as Office has them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(parts, key=lambda name: name != TYPES):
            archive.writestr(name, parts[name])
    return made.getvalue()


def relation(kind, target, id="rX1", external=False):
    """A relationship; `kind` is its type, or the last word of one of the standard."""
    full = kind if ":" in kind else f"{OFFICE}/{kind}"
    mode = ' TargetMode="External"' if external else ""
    return f'<Relationship Id="{id}" Type="{full}" Target={quoteattr(target)}{mode}/>'


def changed(content, types="", relations=None, inside=None, new=None):
    """An Office file after changes.

    `types` are further content types, `relations` {part of relationships: further ones}, `inside` {part: XML before
    the end of its root, or of its body}, `new` {part: content}.
    """
    made = {**parts(content), **{name: _bytes(text) for name, text in (new or {}).items()}}
    empty = f'<Relationships xmlns="{RELATIONS}"></Relationships>'.encode()
    for name, more in {TYPES: types, **(relations or {}), **(inside or {})}.items():
        made[name] = _inserted(made.get(name, empty), more)
    return package(made)


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def _inserted(xml, more):
    end = xml.rindex(b"<w:sectPr") if b"<w:sectPr" in xml else re.search(rb"(</[^>]*>|/>)\s*\Z", xml).start()
    return xml[:end] + _bytes(more) + xml[end:]


def run(xml):
    """A paragraph of Word with XML in its run."""
    return f'<w:p xmlns:w="{W}" xmlns:r="{OFFICE}"><w:r>{xml}</w:r></w:p>'


def field(instruction):
    begin, end = (f'<w:fldChar w:fldCharType="{kind}"/>' for kind in ("begin", "end"))
    return run(f"{begin}<w:instrText>{instruction}</w:instrText>{end}")
