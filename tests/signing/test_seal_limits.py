"""A contract that could be sent can be sealed, whatever the names of its signers and the places for them."""

import re
import subprocess

import pytest

from pipeline.signing.consent import TEXTS
from pipeline.signing.envelope import Event
from tests.documents.support import FOOTER
from tests.signing.envelopes import LAYOUT, NOW, content, envelope, picture, seal, shown, signature, texts
from tests.signing.test_seal import faults

FACTS = {"email": f"{'e' * 64}@{'d' * 185}.de", "user_agent": "u" * 500, "consent": max(TEXTS.values(), key=len)}
STEPS = ("sent", "code_sent", "verified", "viewed", "signed")
PLACE = '<span class="blank licensor-signature">____</span>'
# The right edges of the text and of the licensor's column, in points.
EDGE, MIDDLE = 595 - 70, 595 / 2


def ten(name):
    """An envelope of ten signers with this name and the longest of all other facts."""
    people = [signature(name, "licensor", **FACTS) for _ in range(10)]
    address = "2001:db8:85a3:8d3:1319:8a2e:370:7348"
    return envelope(*people, events=tuple(Event(NOW, step, name, address) for _ in range(10) for step in STEPS))


def words(pdf):
    """(page, right edge, lower edge, text) of each word, in points."""
    command = ["pdftotext", "-bbox", "-", "-"]
    boxes = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode().split("<page ")[1:]
    parts = [(page, re.findall(r'xMax="(.+?)" yMax="(.+?)">([^<]+)<', box)) for page, box in enumerate(boxes)]
    return [(page, float(right), float(lower), text) for page, found in parts for right, lower, text in found]


@pytest.mark.parametrize(
    ("letter", "length"),
    [("Ŵ", 255), *(pytest.param(*one, marks=pytest.mark.long) for one in [("ŵ", 200), ("漢", 255)])],
)
def test_ten_signers_with_the_longest_unbroken_names_stand_whole_on_the_paper(letter, length):
    found = words(seal(ten(letter * length), content(), LAYOUT))
    certificate = min(page for page, _right, _lower, text in found if text == "certificate")
    # The signature, its caption and the name in the block; a heading and a fact of the certificate.
    assert sum(text.count(letter) for *_place, text in found) >= 10 * length * 5
    for page, right, lower, text in found:
        if letter in text:
            assert right <= (MIDDLE if page < certificate else EDGE)
            assert lower <= FOOTER


def test_signatures_that_would_fill_a_book_stand_on_a_page_of_their_own(limits):
    stored = content() + f"<p>{PLACE}</p>" * 60
    before = len(texts(shown(stored)))
    limits(pages=before)
    found = texts(seal(ten("Ŵ" * 20), stored, LAYOUT))
    contract = "".join(found[:before])
    assert (contract.count("See “Signatures”"), contract.count("Ŵ")) == (63, 0)
    assert found[before].count("Ŵ" * 20) == 10 * 2


@pytest.mark.long
@pytest.mark.parametrize("name", ["Ŵ" * 255, "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}" * 255])
@pytest.mark.parametrize("columns", [1, 60])
@pytest.mark.parametrize("places", [1, 100])
def test_names_in_columns_of_one_letter_are_sealed(limits, name, columns, places):
    row = f"<tr><td>{PLACE}</td>{'<td>x</td>' * (columns - 1)}</tr>"
    stored = f"<table>{row * places}</table>"
    limits(pages=len(texts(shown(stored))))
    assert seal(ten(name), stored, LAYOUT)


def test_a_place_in_the_head_of_a_table_is_none_because_each_page_repeats_it():
    rows = "<tr><td>Row</td></tr>" * 90
    stored = f"<table><thead><tr><th>{PLACE}</th></tr></thead>{rows}</table>"
    before = len(texts(shown(stored)))
    found = texts(seal(envelope(signature("John Doe", "licensor")), stored, LAYOUT))
    assert before > 1
    assert all("____" in text and "John Doe" not in text for text in found[:before])
    assert "John Doe, Mar 5, 2026" in found[before]


def test_ten_large_drawings_share_one_block_and_make_the_copy_larger_and_longer(limits):
    limits(output_mib=1, pages=1)
    drawn = [signature(f"Person {number}", drawing=picture() + bytes(number)) for number in range(10)]
    pdf = seal(envelope(*drawn), content(), LAYOUT)
    assert len(shown(content())) < 1024 * 1024 < len(pdf) < 3_000_000
    assert all(f"Person {number}, Mar 5, 2026" in "".join(texts(pdf)) for number in range(10))
    assert (faults(pdf), len(texts(pdf)) > 2) == ({}, True)
