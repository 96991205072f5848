"""A contract from right to left: its layout in the PDF and in Word."""

import itertools
import re

import pytest

from pipeline.contracts import merge
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from pipeline.validation.types import DIRECTION_MARKS
from tests.documents.support import W, document, letters, pdf_text, word_xml
from tests.documents.test_pdf import words


def arabic(content, **others):
    return document(content, "ar", direction="rtl", **others)


LINES = '<p>kept</p><p dir="rtl">turned</p><h2 dir="auto">1. שלום olleh</h2><p dir="auto">1 plain</p>'
ITEM = '<ol><li>x</li><li>x<ol><li>x</li><li id="late">late</li></ol></li></ol>'
SUB_CLAUSES = (
    f'<ol class="clauses"><li>x<ol><li>x{ITEM}</li></ol></li></ol><p>see <a data-ref="late">1.1(ب)(2)</a></p>'
    '<ol type="A"><li>x</li><li>letter</li></ol>'
)
LEVELS = (
    f'<ol class="clauses"><li>1<ol><li>{"kalma " * 60}<ol><li>3<ol><li>4</li></ol></li></ol></li></ol></li></ol>'
    f"{ITEM}<ul><li>x</li></ul>"
)
PRINTED = {
    "table": arabic("<p>kept</p><table><tr><td>first</td><td>second</td></tr></table>", header_left="left"),
    "footer": arabic("<p>x</p>", footer_left="Acme Licensing Inc., Harbour Road,\nPortland,\nOR.", footer_right="1."),
    "left": document(LINES),
    "right": arabic(LINES.replace("rtl", "ltr")),
    "money": arabic("<p>\u200e€12,500.00\u200e</p><ol class='clauses'><li>one<ol><li>two</li></ol></li></ol>"),
    "clauses": arabic(SUB_CLAUSES),
    "levels": arabic(LEVELS),
    "signatures": arabic("<table class='signatures'><tr><td>x</td><td>y</td></tr></table>"),
}


@pytest.fixture(scope="module")
def both(office):
    """{name: (our PDF, the PDF that LibreOffice makes of our Word file)} of PRINTED."""
    pdfs = office.pdfs([render_docx(contract) for contract in PRINTED.values()])
    return {name: (render_pdf(PRINTED[name]), pdf) for name, pdf in zip(PRINTED, pdfs, strict=True)}


def test_pages_tables_and_headers_begin_at_the_right(both):
    for pdf in both["table"]:
        place = {word.text: word for word in words(pdf)}
        assert place["left"].left < 30
        assert place["kept"].right > 180
        assert place["first"].left > place["second"].right


def test_a_latin_footer_of_an_arabic_contract_ends_its_lines_at_the_right(both):
    for pdf in both["footer"]:
        assert {"Road,", "Portland,", "OR."} < {word.text for word in words(pdf)}


def test_no_arabic_word_is_printed_over_its_neighbour():
    text = "يعالج المرخص العيوب خلال مدة معقولة بالتصحيح أو الاستبدال أو بحل بديل. يدفع المرخص له جميع الرسوم. "
    found = words(render_pdf(arabic(f"<p><b>البرنامج 12</b>: {text * 2}</p>")))
    top = min(word.top for word in found)
    line = sorted((word.left, word.right) for word in found if word.top < top + 3)
    assert len(line) > 10
    assert all(right < left + 0.1 for (_, right), (left, _) in itertools.pairwise(line))


def test_clauses_numbers_of_all_levels_and_signatures_keep_to_the_margins_of_both(both):
    for pdf in (*both["levels"], *both["signatures"]):
        assert 183 < max(word.right for word in words(pdf)) < 185.5
    assert min(word.left for word in words(both["levels"][0])) > 24


def test_a_code_keeps_its_order_and_its_hyphens_where_a_line_ends():
    text = "LIC-SRV-000-ENTERPRISE"
    made = arabic(f'<table><col style="width: 60pt"><tr><td>{text}</td>{"<td>نص</td>" * 5}</tr></table>')
    printed = [line for line in pdf_text(render_pdf(made)).splitlines() if re.search("[A-Z]", line)]
    assert len(printed) > 1
    assert letters(DIRECTION_MARKS.sub("", "".join(printed))) == letters(text)


@pytest.mark.parametrize(
    "phrase",
    [
        "The <b>Licensed Software</b> and <i>the <u>User</u> Manuals</i> shall",
        "<u>Acme <b>Licensing</b> Inc</u>",
        "Version <b>2</b> of <b>Suite</b> <i>Pro</i>",
        "NORTHWIND ROBOTICS Inc",
    ],
)
def test_a_latin_phrase_of_several_weights_or_in_capitals_keeps_its_order(phrase):
    printed = pdf_text(render_pdf(arabic(f"<p>نص {phrase} نص <b>غامق</b> نص</p>")))
    assert re.sub("<[^>]+>", "", phrase) in DIRECTION_MARKS.sub("", printed)


def test_arabic_runs_of_the_word_file_have_a_weight_of_their_own_and_latin_ones_are_one_stretch():
    file = render_docx(arabic("<p>نص <b>غامق</b> و Acme <b>LICENSING</b> Inc. نص</p>"))
    runs = {
        "".join(run.itertext()): [part.tag.removeprefix(W) for part in run.iterfind(f"{W}rPr/*")]
        for run in word_xml(file).iter(f"{W}r")
    }
    assert (runs["غامق"], runs["Acme "], runs["LICENSING"]) == (["b", "bCs", "rtl"], [], ["b"])
    assert (runs[" Inc"], runs[". نص"]) == ([], ["rtl"])
    styles = word_xml(file, "word/styles.xml")
    assert len(list(styles.iter(f"{W}b"))) == len(list(styles.iter(f"{W}bCs"))) > 5


def test_a_paragraph_with_a_direction_of_its_own_begins_at_that_side(both):
    for name, sides in (("left", "lrrl"), ("right", "rlrl")):
        for pdf in both[name]:
            place = {word.text: word for word in words(pdf)}
            found = [place[name].left < 100 for name in ("kept", "turned", "olleh", "plain")]
            assert found == [side == "l" for side in sides]


def test_a_numbered_paragraph_stands_as_its_list():
    content = '<ol class="clauses"><li><p dir="rtl">first</p><p dir="rtl">second</p></li></ol>'
    paragraphs = word_xml(render_docx(document(content))).iter(f"{W}p")
    assert [len(list(paragraph.iter(f"{W}bidi"))) for paragraph in paragraphs] == [0, 1]


def test_both_files_read_the_same_and_the_sign_of_a_currency_stays_before_the_figure(both):
    assert "€12" in pdf_text(render_pdf(arabic("<p>المبلغ \u200e€12\u200e سنويا</p>")))
    seen = [letters(pdf_text(pdf)) for pdf in both["money"]]
    assert [sorted(text.replace("\u200e", "")) for text in seen] == [sorted("€12,500.001.one1.1two")] * 2


def test_sub_clauses_in_arabic_and_references_to_them_count_by_arabic_letters_and_figures(both):
    for pdf in both["clauses"]:
        text = letters(DIRECTION_MARKS.sub("", pdf_text(pdf)))
        assert re.findall("[abi]", text) == ["a"]  # of "late"
        assert text.count("ب") == 3
    levels = [
        (level.find(f"{W}lvlText").get(f"{W}val"), level.find(f"{W}numFmt").get(f"{W}val"))
        for level in word_xml(render_docx(PRINTED["clauses"]), "word/numbering.xml").iter(f"{W}lvl")
    ]
    assert {("(%3)", "arabicAbjad"), ("(%4)", "decimal")} <= set(levels)
    resolved = merge.resolve(merge.sanitize(SUB_CLAUSES), {}, {"locale": {"currency": "EUR", "locale": "ar-EG"}})
    assert ">1.1(ب)(2)</a>" in DIRECTION_MARKS.sub("", resolved.content)
