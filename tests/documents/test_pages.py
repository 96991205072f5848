"""The setting of lines and pages, which the PDF and the Word file have in common."""

import io

import pypdf
import pytest

from pipeline.documents import content
from pipeline.documents.layout.columns import PADDING, TEXT_WIDTH, shares_of, text_width
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import W, document, faults, page_texts, pdf_text, word_xml
from tests.documents.test_pdf import words

GERMAN = "Nutzungsberechtigungen Rechtsnachfolgeregelungen Gewährleistungsansprüche "
SENTENCE = "The licensee pays the fees of this agreement within thirty days of the invoice. "
ARTICLES = "".join(f"<h2>Article {number}</h2><p>{SENTENCE * (3 + number % 5)}</p>" for number in range(24))
TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>"
ADDRESS = "Acme Licensing Inc., 1 Harbour Road, Portland, OR 97201"


def lines_of(pdf):
    """The lines of each page of a PDF."""
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return [[line for line in page.extract_text().splitlines() if line.strip()] for page in pages]


def articles(pdf):
    """The articles that begin on each page of a PDF."""
    return [[line for line in lines if line.startswith("Article")] for lines in lines_of(pdf)]


@pytest.mark.parametrize("footer", [pytest.param("Acme", marks=pytest.mark.long), ADDRESS], ids=["one", "two"])
def test_a_footer_of_any_height_leaves_both_the_same_pages(footer, office):
    made = document(ARTICLES, footer_left=footer, footer_center="{{page}} / {{pages}}", footer_right="Licence")
    pages = articles(render_pdf(made))
    assert len(pages) > 2
    assert pages == articles(office.pdf(render_docx(made)))


def test_words_in_another_language_are_parted_by_its_rules_and_spelled_by_them_in_word():
    contract = document(f'<p lang="de">{GERMAN * 6}</p><p>{"plain words " * 9}<span lang="pl">słowa</span></p>', "xx")
    (lines,) = lines_of(render_pdf(contract))
    assert sum(line.endswith("\u2010") for line in lines) >= 2
    languages = [element.get(f"{W}val") for element in word_xml(render_docx(contract)).iter(f"{W}lang")]
    assert languages == ["de-DE", "pl-PL"]
    assert pdf_text(render_pdf(document(f"<p>{GERMAN * 6}</p>", "de"))).split() == (GERMAN * 6).split()


@pytest.mark.parametrize("whole", ["legal-department@northwind-robotics.example", "https://northwind.example/terms/x"])
def test_an_address_is_never_parted_and_tears_no_line(whole):
    contract = document(f"<p>{'Notices are sent to ' * 7} {whole} {'without undue delay ' * 7}</p><p>short</p>")
    (lines,) = lines_of(render_pdf(contract))
    assert any(whole in line for line in lines)
    first, second = word_xml(render_docx(contract)).iter(f"{W}pPr")
    assert [child.tag.removeprefix(W) for child in first] == ["suppressAutoHyphens", "jc"]
    assert len(second) == 0


@pytest.mark.parametrize("gap", ["<p></p>", "<p>&nbsp;</p>", "<p><br></p>"])
def test_a_heading_stays_with_the_text_after_an_editors_empty_line(gap):
    text = "<p>" + "The fees are due. " * 12 + "</p>"
    filled = (f'<div class="schedule">{"<p>x</p>" * count}<h2>Fees</h2>{gap}{text}</div>' for count in range(29, 35))
    assert not [lines for lines in lines_of(render_pdf(document("".join(filled)))) if lines[-1] == "Fees"]


def test_no_line_ends_after_its_first_word_because_of_the_space_before_a_span():
    cell = "<tr><td>The fees of this agreement are due within a year. <b>Payment</b></td></tr>"
    tables = (f'<table style="width: {half / 2}pt">{cell}</table>' for half in range(360, 480))
    lines = pdf_text(render_pdf(document("".join(tables)))).splitlines()
    assert "The fees of this agreement are due within a year." in lines
    assert "The" not in lines


def test_a_justified_line_is_not_stretched_before_a_line_break(office):
    made = document("<p>between Acme Licensing,<br>1 Harbour Road</p>")
    for pdf in (render_pdf(made), office.pdf(render_docx(made))):
        assert max(word.right for word in words(pdf)) < 100


CELL = "What a reader needs to see in the full width of its column, of about one hundred and twenty characters."
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitaenswitwe"


def row(*texts):
    return "<tr>" + "".join(f"<td>{text}</td>" for text in texts) + "</tr>"


def widths(rows):
    """The widths in points of the columns of a table as wide as the page."""
    return [share * TEXT_WIDTH for share in shares_of(next(content.parse(f"<table>{rows}</table>").iter("table")))]


def test_no_ordinary_word_is_broken_beside_a_long_one_which_leaves_the_width_to_the_sentences():
    found = widths(row("1", "Response", CELL, LONG_WORD, "within four hours", "Licensee", "Remark"))
    for width, word in zip(found, ("1", "Response", "characters.", "", "within", "Licensee", "Remark"), strict=True):
        assert width >= text_width(word) + PADDING - 0.01
    sentence, remark = widths(row(CELL, "none") + row(CELL, LONG_WORD))
    assert sentence > 1.5 * remark


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("QX7RTB9KLM2WZP4HVN8CSD5FGJ3YEA6", ""),
        ("\u200eLIC-SRV-000-ENTERPRISE\u200e", ""),
        ("9f86d081884c7d659a2feaa0", ""),
        ("1,234,567.00 EUR", ' class="money"'),
    ],
)
def test_a_code_and_an_amount_stay_on_one_line(text, kind):
    rows = f"<tr><td>{CELL}</td><td{kind}>{text}</td><td>{CELL}</td></tr>"
    assert widths(rows)[1] >= text_width(text)


def test_no_head_of_a_table_in_a_clause_is_broken():
    html = f"<table><tr><th>Artikel</th><th>Beschreibung</th></tr>{row('LIC-1', CELL)}</table>"
    printed = pdf_text(render_pdf(document(f'<ol class="clauses"><li>a<ol><li>b{html}</li></ol></li></ol>')))
    assert "Artikel" in printed


@pytest.mark.parametrize(
    "rows",
    [
        f'<colgroup><col style="width: 25%"><col></colgroup>{row("a", "b")}',
        f'<col style="width: 25%">{row("a", "b")}',
        '<tr><td style="width: 25%">a</td><td>b</td></tr>',
    ],
)
def test_a_width_that_the_author_sets_stands(rows):
    assert widths(rows)[0] == pytest.approx(TEXT_WIDTH / 4, rel=0.01)


@pytest.mark.parametrize("texts", [["1", "Response", CELL, LONG_WORD, "within four hours", "x", "y"], [LONG_WORD] * 12])
def test_the_columns_begin_at_the_same_places_in_both_files(texts):
    contract = document(f"<table>{row(*(f'h{number}' for number in range(len(texts))))}{row(*texts)}</table>")
    begins = {}

    def visit(text, _cm, tm, _font, _size):
        begins.setdefault(text.strip(), tm[4] * 0.75)  # in the pixels of CSS

    pypdf.PdfReader(io.BytesIO(render_pdf(contract))).pages[0].extract_text(visitor_text=visit)
    grid = [int(column.get(f"{W}w")) / 20 for column in word_xml(render_docx(contract)).iter(f"{W}gridCol")]
    for number in range(1, len(grid)):
        assert begins[f"h{number}"] - begins["h0"] == pytest.approx(sum(grid[:number]), abs=2)


def test_a_row_higher_than_a_page_begins_below_the_head_of_its_table():
    row = f"<tr><td>First</td><td>{SENTENCE * 200}</td></tr>"
    table = f"<table><thead><tr><th>Head</th><th>Text</th></tr></thead>{row}<tr><td>Last</td><td>b</td></tr></table>"
    pages = lines_of(render_pdf(document(f"<p>{SENTENCE * 20}</p>{table}")))
    assert len(pages) > 3
    assert all(any("Head" in line for line in lines) for lines in pages)


def test_chinese_text_is_not_stretched_at_its_few_spaces():
    pdf = render_pdf(document("<p>" + "许可方授予被许可方使用 Pipeline 软件的权利" * 8 + "</p>", language="zh"))
    found = words(pdf)
    gaps = [
        after.left - one.right for one, after in zip(found, found[1:], strict=False) if abs(one.top - after.top) < 2
    ]
    assert 0 < max(gaps) < 2


PAPERS = {("A4", "portrait"): (595, 842), ("Letter", "portrait"): (612, 792), ("A4", "landscape"): (842, 595)}


@pytest.mark.parametrize("paper", PAPERS)
def test_both_documents_have_the_paper_and_the_width_of_text_that_it_leaves(paper, office):
    made = document(
        ARTICLES + TABLE, page_size=paper[0], orientation=paper[1], header_left="Left", header_right="Right"
    )
    files = render_pdf(made), office.pdf(render_docx(made))
    sizes = [pypdf.PdfReader(io.BytesIO(file)).pages[0].mediabox[2:] for file in files]
    assert [tuple(round(float(side)) for side in size) for size in sizes] == [PAPERS[paper]] * 2
    right = [max(word.right for word in words(file) if word.text != "Right") for file in files]
    assert right == pytest.approx([PAPERS[paper][0] * 25.4 / 72 - 25] * 2, abs=1.5)


@pytest.mark.parametrize("text", ["DRAFT", '<&">', "مسودة"])
def test_a_watermark_stands_on_each_page_of_both_and_means_nothing_to_a_screen_reader(text):
    made = document(f"<p>{SENTENCE * 90}</p>", watermark=text, orientation="landscape")
    pdf = render_pdf(made)
    pages = page_texts(pdf)
    assert len(pages) > 1
    assert all(set(text) <= set(page) for page in pages)
    assert faults(pdf) == {}
    (shape,) = word_xml(render_docx(made), "word/header1.xml").iter("{urn:schemas-microsoft-com:vml}shape")
    assert shape[0].get("string") == text
