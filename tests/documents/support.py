import functools
import io
import itertools
import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import page
import pypdf
import pyphen
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
def licence(language="en", sentences=()):
    """A contract made from the demo's licence agreement, with its margins and logo; one fact is not known.

    `sentences` of another language take the place of its texts.
    """
    settings = json.loads((DATA / "licence_agreement.json").read_text())
    margins = {name: settings[name] for name in MARGINS}
    direction = "rtl" if language == "ar" else "ltr"
    locale = {"locale": language, "currency": "EUR", "direction": direction}
    values = {**SAMPLES, "Licensee": {**SAMPLES["Licensee"], "vat_id": None}, "locale": locale}
    clauses = {row["key"]: row for row in json.loads((DATA / "contract_terms.json").read_text())["clauses"]}
    content = (DATA / "licence_agreement.html").read_text()
    if sentences:
        said = itertools.cycle(sentences)
        content = re.sub(r"(?<=>)[^<>{}]*\w{3}[^<>{}]*", lambda text: in_words(text[0], next(said)), content)
    made = merge.resolve(merge.sanitize(content), margins, values, clauses=clauses)
    logo = (DATA / "logo.png").read_bytes()
    title = "Software Licence Agreement"
    return Document(title, language, made.content, direction=direction, logo=logo, **made.margins)


def in_words(text, sentence):
    """A sentence in the place of a text; of a short text, as many of its words."""
    return sentence if len(text) > 40 else " ".join(sentence.split()[: len(text.split())])


def pdf_text(pdf, body_only=False):
    """The text of a PDF file's bytes in reading order; of its body only, without header and footer."""
    return _pdf_text(pdf, *(_area(HEADER, FOOTER) if body_only else []))


def pdf_margins(pdf):
    """(text of the header, text of the footer) of each page of a PDF file's bytes."""
    return list(zip(page_texts(pdf, 0, HEADER), page_texts(pdf, FOOTER, 842), strict=True))


def page_texts(pdf, top, bottom):
    """The text between two heights, in points, of each page of a PDF file's bytes."""
    count = len(pypdf.PdfReader(io.BytesIO(pdf)).pages)
    return [_pdf_text(pdf, "-f", str(page), "-l", str(page), *_area(top, bottom)) for page in range(1, count + 1)]


def _area(top, bottom):
    return ["-x", "0", "-y", str(top), "-W", "596", "-H", str(bottom - top)]


def _pdf_text(pdf, *options):
    command = ["pdftotext", "-raw", "-nopgbrk", "-enc", "UTF-8", *options, "-", "-"]
    text = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()
    # Words are parted at the ends of lines with a hyphen of its own.
    return text.replace("\u2010\n", "")


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


# Pyphen's dictionaries, by which WeasyPrint parts words too.
_HYPHENS = {"en-US": "hyph_en_US.dic", "de-DE": "hyph_de_DE.dic"}
_DICTIONARY = """<item oor:path="/org.openoffice.Office.Linguistic/ServiceManager/Dictionaries">
<node oor:name="{0}" oor:op="replace"><prop oor:name="Locations" oor:op="fuse"><value><it>{1}</it></value></prop>
<prop oor:name="Format" oor:op="fuse"><value>DICT_HYPH</value></prop>
<prop oor:name="Locales" oor:op="fuse"><value><it>{0}</it></value></prop></node></item>"""
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"
xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">{}</oor:items>"""
# LibreOffice has no Times New Roman, whose Arabic letters this font stands for, as in the PDF.
_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<alias binding="same"><family>Liberation Serif</family><accept><family>Noto Naskh Arabic</family></accept></alias>
</fontconfig>"""


def _write_hyphens(user):
    """Settings of LibreOffice by which it parts words."""
    user.mkdir(parents=True)
    dictionaries = Path(pyphen.__file__).parent / "dictionaries"
    items = [_DICTIONARY.format(name, (dictionaries / file).as_uri()) for name, file in _HYPHENS.items()]
    (user / "registrymodifications.xcu").write_text(_SETTINGS.format("".join(items)))


class Office:
    """LibreOffice with a profile of its own; with `hyphens`, it parts words of English and German."""

    def __init__(self, folder, hyphens=False):
        self.folder = folder
        if hyphens:
            _write_hyphens(folder / "profile" / "user")
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
        """The contents of files after their conversion to `kind`, an extension."""
        targets = [source.with_suffix(f".{kind}") for source in sources]
        for target in targets:
            target.unlink(missing_ok=True)
        profile = f"-env:UserInstallation={(self.folder / 'profile').as_uri()}"
        options = [*options, "--convert-to", kind, "--outdir", str(self.folder)]
        command = ["soffice", profile, "--headless", *options, *sources]
        environ = {**os.environ, "FONTCONFIG_FILE": str(self.folder / "fonts.conf")}
        patience = OFFICE_SECONDS + 10 * len(sources)
        subprocess.run(command, capture_output=True, check=True, timeout=patience, cwd=self.folder, env=environ)
        return [target.read_bytes() for target in targets]
