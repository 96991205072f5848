"""Repeats of a contract for each line of its quote, and omitted parts."""

import pytest

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from tests.contracts.merging import filled, resolved, text_of


def test_an_element_is_repeated_for_each_line():
    content = (
        '<table><tr data-each="Quote.lines"><td>{{Line.name}}</td><td>{{Line.net | currency}}</td></tr>'
        "<tr><td>e</td></tr></table>"
    )
    assert filled(content) == (
        "<table><tbody><tr><td>Seat &lt;b&gt;</td><td>€21.00</td></tr><tr><td>Setup</td><td>€1,000.00</td></tr>"
        "<tr><td>e</td></tr></tbody></table>"
    )


def test_text_around_a_repeated_element_stays_in_its_place():
    assert (
        filled('a <span data-each="Deal.platforms">[{{Line.name}}]</span> b')
        == "a <span>[Linux]</span><span>[macOS]</span> b"
    )
    assert filled('a <span data-each="Deal.features">[{{Line.name}}]</span> b') == "a  b"


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("Deal.title", True),
        ("Deal.platforms", True),
        ("Quote.lines_table", True),
        ("Contract.signature_block", True),
        ("Deal.features", False),
        ("Deal.quantity", False),
        ("Quote.tax_total", False),
        ("Quote.notes", False),
    ],
)
def test_a_condition_takes_out_what_has_no_value_or_zero(name, stays):
    assert filled(f'a<p data-if="{name}">b {{{{Quote.notes}}}}</p>c').startswith("a<p>b" if stays else "ac")


def test_tags_of_what_was_taken_out_are_not_unresolved():
    assert (
        resolved('<div data-if="Quote.notes">{{Quote.notes}}<p data-if="Deal.stage">x</p></div>').unresolved_tags == []
    )


def test_a_condition_on_a_line_is_asked_for_each_line():
    content = '<ul><li data-each="Quote.lines" data-if="Line.sku">{{Line.sku}}<b data-if="Line.net">!</b></li></ul>'
    assert filled(content) == "<ul><li>S-1<b>!</b></li></ul>"


def test_the_table_of_lines_takes_the_place_of_its_paragraph():
    content = filled("<p>a</p><p><b>{{Quote.lines_table}}</b></p>b")
    assert content.startswith("<p>a</p><table><thead><tr><th>Item</th>")
    assert content.endswith("</table>b")
    assert (
        '<td>Seat &lt;b&gt;</td><td class="money">2</td><td class="money">€10.50</td><td class="money">€21.00</td>'
        in content
    )
    assert "Discount" not in content
    assert "Tax" not in content


def test_the_table_of_lines_shows_discounts_where_there_are_some():
    content = merge.resolve("<div>{{Quote.lines_table}}<p>b</p></div>", {}, SAMPLES).content
    assert content.startswith("<div><table>")
    assert content.endswith("</table><p>b</p></div>")
    for text in ("10\u00a0%", "-€1,000.00", "<strong>€51,170.00</strong>", 'colspan="4"'):
        assert text in content


def test_repeated_rows_are_numbered_from_one():
    content = '<table><tr data-each="Quote.lines"><td>{{Line.position}}</td><td>{{Line.quantity}}</td></tr></table>'
    assert text_of(filled(content)) == "1221"
    assert (
        text_of(filled('<p data-each="Deal.platforms">{{Line.position}}. {{Line.name}} </p>')) == "1. Linux 2. macOS "
    )
