import functools
import io
import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import page
from lxml import etree

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import MARGINS, Document

DATA = Path(__file__).resolve().parents[2] / "development" / "data"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OFFICE_SECONDS = 100
# Points from the top of a page: where its header ends, and where its footer begins.
HEADER, FOOTER = 90, 780


def document(content, language="en", **others):
    """A Document of a content without margins."""
    return Document("A contract", language, content, **others)


@functools.cache
def licence():
    """A contract made from the demo's licence agreement, with its margins and logo; one fact is not known."""
    settings = json.loads((DATA / "licence_agreement.json").read_text())
    margins = {name: settings[name] for name in MARGINS}
    locale = {"locale": "en", "currency": "EUR", "direction": "ltr"}
    values = {**SAMPLES, "Licensee": {**SAMPLES["Licensee"], "vat_id": None}, "locale": locale}
    clauses = {row["key"]: row for row in json.loads((DATA / "contract_terms.json").read_text())["clauses"]}
    made = merge.resolve(
        merge.sanitize((DATA / "licence_agreement.html").read_text()), margins, values, clauses=clauses
    )
    logo = (DATA / "logo.png").read_bytes()
    return Document("Software Licence Agreement", "en", made.content, direction="ltr", logo=logo, **made.margins)


def page_texts(pdf, top=None, bottom=None):
    """The text of each page of a PDF file's bytes in reading order; between two heights in points if they are given."""
    area = [] if top is None else ["-x", "0", "-y", str(top), "-W", "596", "-H", str(bottom - top)]
    command = ["pdftotext", "-raw", "-enc", "UTF-8", *area, "-", "-"]
    text = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()
    # Words are parted at the ends of lines with a hyphen of its own.
    return text.replace("\u2010\n", "").split("\f")[:-1]


def pdf_text(pdf, body_only=False):
    """The text of a PDF file's bytes; of its body only, without header and footer."""
    return "".join(page_texts(pdf, HEADER, FOOTER) if body_only else page_texts(pdf))


def pdf_margins(pdf):
    """(text of the header, text of the footer) of each page of a PDF file's bytes."""
    return list(zip(page_texts(pdf, 0, HEADER), page_texts(pdf, FOOTER, 842), strict=True))


def faults(pdf):
    """{rule: what is wrong} by PDF/UA-1 in a PDF file's bytes."""
    report = page.validate_pdf_bytes(pdf, profile="ua1")
    assert report.rules.total > 100
    return {failure.rule_id: failure.message for failure in report.failures}


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


# LibreOffice has no Times New Roman, whose Arabic letters this font stands for, as in the PDF.
_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<alias binding="same"><family>Liberation Serif</family><accept><family>Noto Naskh Arabic</family></accept></alias>
</fontconfig>"""


class Office:
    """LibreOffice with a profile of its own."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "fonts.conf").write_text(_FONTS)

    def pdf(self, docx):
        """The PDF that it makes of a Word file's bytes."""
        (pdf,) = self.pdfs([docx])
        return pdf

    def pdfs(self, files):
        """The PDFs that it makes of the bytes of several Word files."""
        sources = [self.folder / f"document-{number}.docx" for number in range(len(files))]
        for source, docx in zip(sources, files, strict=True):
            source.write_bytes(docx)
        return self.converted(sources, "pdf")

    def converted(self, sources, kind, *options):
        """The contents of files after their conversion to `kind`, an extension and a colon with a filter if need be."""
        targets = [source.with_suffix(f".{kind.partition(':')[0]}") for source in sources]
        for target in targets:
            target.unlink(missing_ok=True)
        profile = f"-env:UserInstallation={(self.folder / 'profile').as_uri()}"
        options = [*options, "--convert-to", kind, "--outdir", str(self.folder)]
        command = ["soffice", profile, "--headless", *options, *sources]
        environ = {**os.environ, "FONTCONFIG_FILE": str(self.folder / "fonts.conf")}
        patience = OFFICE_SECONDS + 10 * len(sources)
        subprocess.run(command, capture_output=True, check=True, timeout=patience, cwd=self.folder, env=environ)
        return [target.read_bytes() for target in targets]
