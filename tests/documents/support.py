"""Documents for the tests, and what a reader finds in their files."""

import contextlib
import io
import json
import re
import subprocess
import zipfile
from pathlib import Path

from lxml import etree
from PIL import Image

from pipeline.documents import Document

HERE = Path(__file__).parent
DATA = Path(__file__).resolve().parents[2] / "pipeline" / "development" / "data"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OFFICE_SECONDS = 100


def document(content, **others):
    """A Document of a content, in English and without margins."""
    return Document("A contract", "en", content, **others)


def licence():
    """The demo licence agreement as a contract made from it, with its margins and a logo."""
    margins = json.loads((HERE / "licence_agreement.json").read_text())
    content = (HERE / "licence_agreement.html").read_text()
    return Document("Software Licence Agreement", "en", content, **margins, logo=(DATA / "logo.png").read_bytes())


def picture(form="PNG", size=(300, 100)):
    """An image file as bytes."""
    file = io.BytesIO()
    Image.new("RGB", size, "navy").save(file, form)
    return file.getvalue()


def pdf_text(pdf, body_only=False):
    """The text of a PDF file's bytes in reading order; of its body only, without header and footer."""
    area = ["-x", "0", "-y", "90", "-W", "596", "-H", "690"] if body_only else []
    command = ["pdftotext", "-raw", "-nopgbrk", "-enc", "UTF-8", *area, "-", "-"]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()


def letters(text):
    """Text without any white space: lines may break elsewhere, letters may not differ."""
    return re.sub(r"\s+", "", text)


def word_xml(docx, name="word/document.xml"):
    """A part of a Word file as an lxml element."""
    with zipfile.ZipFile(io.BytesIO(docx)) as file:
        return etree.fromstring(file.read(name))


def word_text(docx, name="word/document.xml"):
    """The text of a Word file's paragraphs, a line for each."""
    breaks = {f"{W}br": "\n", f"{W}tab": "\t"}
    paragraphs = word_xml(docx, name).iter(f"{W}p")
    lines = ("".join(breaks.get(part.tag, part.text or "") for part in p.iter(f"{W}t", *breaks)) for p in paragraphs)
    return "\n".join(lines)


def paragraphs(docx):
    """The (style, text) of every paragraph of a Word file that has text."""
    found = []
    for paragraph in word_xml(docx).iter(f"{W}p"):
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        text = "".join(part.text or "" for part in paragraph.iter(f"{W}t"))
        if text:
            found.append((None if style is None else style.get(f"{W}val"), text))
    return found


class Office:
    """LibreOffice with a profile of its own."""

    def __init__(self, folder):
        self.folder = folder

    def pdf(self, docx):
        """The PDF that it makes of a Word file's bytes."""
        source = self.folder / "document.docx"
        source.write_bytes(docx)
        target = source.with_suffix(".pdf")
        with contextlib.suppress(FileNotFoundError):
            target.unlink()
        profile = f"-env:UserInstallation={(self.folder / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(self.folder), str(source)]
        subprocess.run(command, capture_output=True, check=True, timeout=OFFICE_SECONDS, cwd=self.folder)
        return target.read_bytes()
