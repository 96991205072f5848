"""The differences between a contract's PDF and LibreOffice's PDF of its Word file."""

import io
import math
import re
import subprocess
from collections import Counter
from typing import NamedTuple

import page
import pypdf

from development.linters import validate
from experiments.parity.contracts import WATERMARK, Maker
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from pipeline.validation.types import DIRECTION_MARKS
from tests.documents.support import Office, letters, pdf_text

# Of the width of a column, and of the pages.
WIDTHS, PAGES = 0.15, 0.1
_APART = re.compile(rf"t\d+c\d+|{WATERMARK[0]}|{DIRECTION_MARKS.pattern}")
_TICKS = re.compile("[☑☐]")
_WORD = re.compile(r'<word xMin="([\d.]+)"[^>]*>t(\d+)c(\d+)</word>')


class Difference(NamedTuple):
    """A contract's seed; whether both say and picture the same; the widest gap of a column; the pages of both; what is
    wrong with the Word file by the schemas of Open XML, and with the PDF by PDF/UA-1.
    """

    seed: int
    same_text: bool
    same_pictures: bool
    widths: float
    columns: int
    pages: tuple[int, int]
    faults: list[tuple[str, str]]

    @property
    def holds(self):
        """Whether the two are what docs/documents.md promises."""
        paper, word = self.pages
        alike = (
            self.same_text
            and self.same_pictures
            and self.widths <= WIDTHS
            and abs(paper - word) <= max(1, math.ceil(paper * PAGES))
        )
        return alike and not self.faults


def compared(seeds, folder):
    """A Difference for each seed; the Word files are converted together."""
    made = [Maker(seed).document() for seed in seeds]
    files = [render_docx(one) for one in made]
    for seed, document, file, paper in zip(seeds, made, files, Office(folder).pdfs(files), strict=True):
        held = folder / "held-to-the-schemas.docx"
        held.write_bytes(file)
        pdf = render_pdf(document)
        rules = [(one.rule_id, one.message) for one in page.validate_pdf_bytes(pdf, profile="ua1").failures]
        yield _difference(seed, document, pdf, paper, validate(held) + rules)


def _difference(seed, document, pdf, word, faults):
    # A head is repeated on each page that its table goes on to; pdftotext adds marks of direction.
    # LibreOffice draws the letters of a watermark.
    texts = [letters(_APART.sub("", pdf_text(one))) for one in (pdf, word)]
    same = Counter(texts[0]) == Counter(texts[1])
    # pdftotext guesses the order of what is read from right to left, and puts signs of a further font behind the line.
    if document.direction != "rtl":
        same = same and _TICKS.sub("", texts[0]) == _TICKS.sub("", texts[1])
    ours, theirs = _columns(pdf), _columns(word)
    gaps = [abs(ours[key] - theirs[key]) / ours[key] for key in ours.keys() & theirs.keys()]
    papers = [pypdf.PdfReader(io.BytesIO(one)).pages for one in (pdf, word)]
    pages = tuple(map(len, papers))
    shapes = [_shapes(one) for one in papers]
    return Difference(seed, same, shapes[0] == shapes[1], max(gaps, default=0.0), len(gaps), pages, faults)


def _shapes(papers):
    """The width of each different picture by its height, rounded: LibreOffice makes small ones of large ones."""
    return {round(one.image.width / one.image.height) for paper in papers for one in paper.images}


def _columns(pdf):
    """{(table, column): points to the next column} of a PDF, by the words of the heads."""
    command = ["pdftotext", "-bbox", "-", "-"]
    boxes = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()
    begins = {}
    for begin, table, column in _WORD.findall(boxes):
        begins.setdefault((int(table), int(column)), float(begin))
    following = {(table, column): begins.get((table, column + 1)) for table, column in begins}
    return {place: abs(end - begins[place]) for place, end in following.items() if end is not None}
