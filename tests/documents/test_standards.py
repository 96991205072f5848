"""PDFs conform to PDF/UA-1, and Word files to the schemas of Open XML, which `make linters` installs."""

import pytest

from development.linters import validate
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.contracts.support import image_file
from tests.documents.support import document, faults, licence
from tests.documents.test_redline import PAIRS, redline

CONTENTS = {
    "heads of rows": "<table><tr><th>Fee</th><td>100</td></tr><tr><th>Term</th><td>12</td></tr></table>",
    "a head over two columns": '<table><thead><tr><th colspan="2">a</th><th>b</th></tr></thead>'
    '<tr><td>1</td><td rowspan="2">2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>',
    "no heads": "<table><tr><td>a</td><td>b</td></tr></table>",
    "headings of any level": "<h3>a</h3><p>x</p><h1>b</h1><h4>c</h4><h2>d</h2>",
    "links and contents": '<div class="contents"></div><h1>a</h1><p><a href="https://acme.example">x</a></p>'
    '<ol class="clauses"><li id="b">c<ol><li>d</li></ol></li></ol><p><a data-ref="b">e</a></p>',
    "another language": '<p dir="rtl" lang="he">שלום</p><p>x<sup>2</sup><br><u>y</u></p><hr>',
}


@pytest.mark.parametrize("name", CONTENTS)
def test_every_part_of_a_contract_is_for_everyone(name):
    contract = document(CONTENTS[name], header_left="x", footer_right="{{page}}", logo=image_file("PNG"))
    assert faults(render_pdf(contract)) == {}


@pytest.fixture
def valid(tmp_path):
    """valid(docx): whether the SDK finds nothing wrong in a Word file's bytes."""

    def check(docx):
        file = tmp_path / "contract.docx"
        file.write_bytes(docx)
        return validate(file) == []

    return check


def test_the_licence_agreement_is_for_everyone_and_holds_to_the_schemas(valid):
    assert faults(render_pdf(licence())) == {}
    assert valid(render_docx(licence()))


def test_a_redline_holds_to_the_schemas(valid):
    earlier, later = ("".join(pair[side] for pair in PAIRS.values()) for side in (0, 1))
    assert valid(redline(earlier, later))
