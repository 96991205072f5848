"""One subset of HTML from template to print: saved templates can be merged, and merged ones printed."""

import pytest

from pipeline.contracts import merge
from pipeline.documents import TooComplex
from pipeline.documents.content import parse
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.subset import BLANK, CONTRACT, ELEMENTS, TEMPLATE, read, serialized
from pipeline.documents.word import render as render_docx
from tests.contracts.merging import LINES, resolved
from tests.documents.support import document, letters, pdf_text, word_text

BLOCK = {"Quote.lines_table": "Setup", "Contract.signature_block": "For the Licensee"}


@pytest.mark.parametrize("block", BLOCK)
def test_the_deepest_template_prints_with_a_ready_block_in_its_innermost_place(block):
    content = "<div>" * TEMPLATE.depth + "{{" + block + "}}" + "</div>" * TEMPLATE.depth
    assert merge.check(merge.sanitize(content), {}) == []
    contract = document(resolved(content).content)
    for text in (pdf_text(render_pdf(contract)), word_text(render_docx(contract))):
        assert letters(BLOCK[block]) in letters(text)


def test_a_template_and_a_contract_are_measured_in_the_same_way():
    for limits in (TEMPLATE, CONTRACT):
        read("<b>" * limits.depth + "x", limits)
        with pytest.raises(TooComplex, match="too deeply"):
            read("<b>" * (limits.depth + 1) + "x", limits)
        read("<p>x" * limits.elements, limits)
        with pytest.raises(TooComplex, match="too many elements"):
            read("<p>x" * (limits.elements + 1), limits)


def test_the_largest_contract_that_is_made_can_be_printed():
    parse(resolved('<p data-each="Quote.lines">{{Line.name}}</p>', Quote_lines=LINES * 20_000).content)


def test_what_is_saved_is_read_unchanged_for_the_page():
    content = "".join(f"<{tag}>x</{tag}>" for tag in sorted(ELEMENTS - {"br", "hr", "col"}))
    content += (
        '<table width="50"><col span="2" style="width:1in"><tr><td align=right colspan=2 class="x money">1</table>'
    )
    saved = merge.sanitize(content)
    assert serialized(read(saved, CONTRACT)) == saved


def test_every_blank_is_equally_long():
    made = resolved('<p>{{Deal.stage}}<span class="blank"></span></p>').content
    assert letters(word_text(render_docx(document(made)))) == BLANK * 2
