"""A long licence breaks its pages alike in the PDF and in Word, and its table of contents agrees with both."""

import re

import pytest

from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.support import FOOTER, HEADER, Office, W, licence, page_texts, word_xml

# Sentences that stand for those of the English agreement.
LANGUAGES = {
    "en": (),
    "de": (
        "Die Lizenzgeberin räumt der Lizenznehmerin ein nicht ausschließliches Nutzungsrecht an der Software ein.",
        "Vertrauliche Informationen werden nur Beschäftigten zugänglich gemacht, die zur Verschwiegenheit verpflichtet "
        "sind; die Gewährleistungsansprüche wegen Sachmängeln verjähren zwölf Monate nach der Bereitstellung.",
        "Änderungen und Ergänzungen dieser Vereinbarung bedürfen der Schriftform.",
    ),
    "ar": (
        "يمنح المرخِّص للمرخَّص له حقاً غير حصري في استخدام البرنامج لأغراض أعماله الخاصة.",
        "يجوز لأي من الطرفين إنهاء هذه الاتفاقية لسبب وجيه، ولا سيما إذا أخل الطرف الآخر بالتزام جوهري، ولا يُفصح عن "
        "المعلومات السرية إلا للموظفين الذين يحتاجون إليها والملتزمين بالسرية.",
    ),
}
# A full line has no more letters.
LINE = 100
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    """{language: (Word file, pages of the PDF, pages of the Word file)}."""
    made = [licence(language, sentences) for language, sentences in LANGUAGES.items()]
    files = [render_docx(document) for document in made]
    office = Office(tmp_path_factory.mktemp("office"), hyphens=True)
    pdfs = zip(map(render_pdf, made), office.pdfs(files), strict=True)
    pages = [[page_texts(pdf, HEADER, FOOTER - 30) for pdf in pair] for pair in pdfs]
    return {language: (file, *pair) for language, file, pair in zip(LANGUAGES, files, pages, strict=True)}


def size(text):
    """How many letters and figures a text has; leaders and marks differ between the files."""
    return len(re.findall(r"[^\W_]", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_files_have_as_many_pages_that_begin_within_a_line_of_each_other(papers, language):
    _, pdf, word = papers[language]
    assert len(pdf) == len(word) > 7
    before = [0, 0]
    for texts in zip(pdf, word, strict=True):
        assert before[0] == pytest.approx(before[1], abs=LINE)
        before = [passed + size(text) for passed, text in zip(before, texts, strict=True)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_contents_names_the_pages_of_both_files(papers, language):
    file, pdf, word = papers[language]
    entries = list(contents(file))
    assert len(entries) > 10
    for heading, page in entries:
        assert holds(pdf[page - 1], heading), heading
        assert holds(word[page - 1], heading), heading


def contents(file):
    """The (heading, page) of each entry of the Word file's table of contents."""
    for paragraph in word_xml(file).iter(f"{W}p"):
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        if style is not None and style.get(f"{W}val").startswith("TOC"):
            *heading, page = (part.text or "" for part in paragraph.iter(f"{W}t"))
            yield "".join(heading), int(page)


def holds(page, heading):
    """Whether a page has the words of a heading; the text of a PDF has Arabic letters in another order."""
    plain = (re.sub("[\u200e\u200f\u202a-\u202e]", "", text) for text in (page, heading))
    on_page, wanted = ({"".join(sorted(word)) for word in re.findall(r"\w+", text)} for text in plain)
    return wanted <= on_page
