import io
import re
import subprocess
from typing import NamedTuple

import pypdf
import pytest

from pipeline.documents.pdf import render as render_pdf
from tests.contracts.support import image_file
from tests.documents.support import document, licence

MM = 72 / 25.4
LONG = "margin " * 30


def reader(contract):
    """pypdf's reader of a Document's PDF."""
    return pypdf.PdfReader(io.BytesIO(render_pdf(contract)))


@pytest.fixture(scope="module")
def agreement():
    return reader(licence())


def outline(items):
    """The titles of an outline, its levels as nested lists."""
    return [outline(item) if isinstance(item, list) else item.title for item in items]


def test_its_pages_are_a4_with_the_logo_and_its_headings_and_clauses_bookmarks_with_their_numbers(agreement):
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in agreement.pages} == {(595, 842)}
    assert all(page.images for page in agreement.pages)
    titles = outline(agreement.outline)
    assert titles[0] == "Software Licence Agreement"
    assert titles[1][:3] == ["1. Definitions", "2. Grant of licence", "3. Restrictions"]
    assert titles[2] == "Schedule 1: The Software"


class Word(NamedTuple):
    """A word of a page and its edges, in millimetres from the page's upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def words(pdf):
    """The Words of the first page."""
    command = ["pdftotext", "-bbox", "-l", "1", "-", "-"]
    boxes = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()
    found = re.findall(r'xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">([^<]+)<', boxes)
    return [Word(*(float(edge) / MM for edge in edges), text) for *edges, text in found]


@pytest.mark.parametrize("logo", [None, image_file("PNG", (300, 100))])
def test_a_long_header_stands_between_the_logo_and_the_content(logo):
    texts = dict.fromkeys(("header_left", "header_center", "header_right"), LONG)
    found = words(render_pdf(document("<p>body</p>", **texts, logo=logo)))
    (body,) = [word.top for word in found if word.text == "body"]
    header = [word for word in found if word.text == "margin"]
    assert len(header) == 90
    assert (20 if logo else 15) < min(word.top for word in header)
    assert max(word.bottom for word in header) < body


def test_a_long_footer_stands_below_the_content():
    found = words(render_pdf(document("<p>body</p>" * 60, footer_center=LONG, footer_right=LONG)))
    body = max(word.bottom for word in found if word.text == "body")
    footer = [word for word in found if word.text == "margin"]
    assert body < min(word.top for word in footer)
    assert max(word.bottom for word in footer) < 287


def test_a_long_word_of_a_header_breaks_within_its_column():
    found = words(render_pdf(document("<p>x</p>", header_left="l" * 200, header_right="r" * 200)))
    middle = 105
    assert max(word.right for word in found if "l" in word.text) < middle
    assert min(word.left for word in found if "r" in word.text) > middle


def test_signatures_stay_together():
    rows = "".join(f"<tr><td>signature {number}</td></tr>" for number in range(6))
    content = f'{"<p>line</p>" * 33}<table class="signatures">{rows}</table>'
    pages = [page.extract_text() for page in reader(document(content)).pages]
    assert [text.count("signature") for text in pages] == [0, 6]


def test_the_head_of_a_table_is_repeated_on_each_page():
    rows = "".join(f"<tr><td>{number}</td></tr>" for number in range(80))
    pages = reader(document(f"<table><thead><tr><th>Head</th></tr></thead><tbody>{rows}</tbody></table>")).pages
    assert len(pages) > 1
    assert all("Head" in page.extract_text() for page in pages)
