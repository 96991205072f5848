"""What signers read of a Word file is what its PDF prints: numbers, references, notes, headers and footers."""

from base64 import b64encode
from collections import Counter
from itertools import chain

import pytest
from lxml import html

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import COPY, DOCX, PDF, Document
from pipeline.documents.authored import filling
from tests.documents.numbered import CASES, numbered
from tests.documents.support import letters, page_texts
from tests.documents.test_authored import FILES, read

FILES = FILES | {"numbers": numbered(*chain.from_iterable(CASES.values()))}
# Letters at the beginning of a paragraph, before a page may end.
BEGINNING = 25
# {file: [(what LibreOffice prints, what Word does)]}: a reference to a heading without a number, legal numbers of
# articles, and a level that goes on.
WORD_S = {
    "licence of Word": [("Seefor", "See1for")],
    "numbers": [
        ("I.1item", "1.1item"),
        ("IV.1item", "4.1item"),
        ("IV.2item", "4.2item"),
        ("§02item301.", "§02item303."),
    ],
}
BULLETS = str.maketrans("", "", "•·\u202a\u202b\u202c")


def made(kind, file, *schedules, values=SAMPLES):
    """A Word file with values, as the renderer makes it."""
    contents = [merge.resolve(read(one), {}, values).content for one in (file, *schedules)]
    content = "".join([contents[0], *(f'<div class="schedule">{one}</div>' for one in contents[1:])])
    files = tuple(b64encode(one).decode() for one in (file, *schedules))
    return filling.made(kind, Document("", "en", content, files=files))


def lines(copy):
    """The texts of a reading copy's paragraphs."""
    found = html.fromstring(f"<div>{copy.decode()}</div>").iter("p", "h1", "h2", "h3", "h4")
    return [text for one in found if (text := letters(one.text_content()).translate(BULLETS))]


def margins(copy):
    """The letters of its headers and footers."""
    root = html.fromstring(f"<div>{copy.decode()}</div>")
    return {
        letter
        for one in root.xpath(".//hr/preceding-sibling::*[1] | .//hr/following-sibling::*[1]")
        for letter in letters(one.text_content())
    }


@pytest.fixture(scope="module")
def papers(office):
    """{name: pages of the PDF}, and those of LibreOffice's own PDF of the contract's Word file."""
    ours, own = ([made(kind, file) for file in FILES.values()] for kind in (PDF, DOCX))
    printed = [page_texts(pdf) for pdf in office.pdfs([*ours, *own])]
    return dict(zip(FILES, zip(printed[: len(FILES)], printed[len(FILES) :], strict=True), strict=True))


@pytest.mark.parametrize("name", FILES)
def test_signers_read_each_paragraph_with_its_number_as_the_pdf_prints_it(papers, name):
    copy = made(COPY, FILES[name])
    printed = letters(" ".join(papers[name][0])).translate(BULLETS)
    if name != "arabic":  # whose letters a PDF has in the order of the eye
        missing = [line for line in lines(copy) if line.partition("…")[0][:BEGINNING] not in printed]
        assert missing == []
    more = Counter(printed) - Counter("".join(lines(copy)))
    assert {*more} <= margins(copy) | {*"0123456789"}


@pytest.mark.parametrize("name", FILES)
def test_the_pdf_has_the_pages_of_libreoffice_s_own(papers, name):
    ours, own = ([letters(page) for page in pages] for pages in papers[name])
    for wrong, right in WORD_S.get(name, ()):
        own = [page.replace(wrong, right) for page in own]
    assert ours == own
