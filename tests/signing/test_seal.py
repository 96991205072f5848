import io
import re
import subprocess
import unicodedata

import pytest
from PIL import Image

from pipeline.contracts.merge.values.blocks import SIGNATURE
from pipeline.signing.consent import TEXTS
from pipeline.signing.envelope import SignatureEvent
from pipeline.signing.service import MAX_MARKS
from tests.contracts.support import upload
from tests.documents.support import FOOTER, faults, letters, page_texts, pdf_text
from tests.signing.envelopes import (
    LAYOUT,
    NOW,
    changed,
    content,
    envelope,
    pdfsig,
    picture,
    seal,
    sealed,
    shown,
    signature,
    status_of,
)

LANGUAGES = ["en", "de", "fr", "es", "it", "nl"]
ARABIC = ["محمد علي", "لؤي الإبراهيمي", "عبد الرحمن بن خلدون"]


def pages(pdf):
    return [letters(text) for text in page_texts(pdf)]


def test_poppler_and_pyhanko_call_the_seal_valid_and_whole_until_one_byte_is_changed(tmp_path):
    told = pdfsig(sealed(), tmp_path)
    assert "Signature is Valid" in told
    assert "Total document signed" in told
    assert "ETSI.CAdES.detached" in told
    status = status_of(sealed())
    assert status.bottom_line
    assert status.docmdp_ok
    assert status.coverage.name == "ENTIRE_FILE"
    assert "Digest Mismatch" in pdfsig(changed(sealed()), tmp_path)
    assert not status_of(changed(sealed())).intact


def test_the_signed_pdf_is_for_everyone():
    signatures = (signature(drawing=picture()), signature("John Doe", "licensor"))
    for pdf in (sealed(), seal(envelope(*signatures), content(block=False), LAYOUT)):
        assert faults(pdf) == {}


def test_without_a_block_the_pages_of_the_contract_are_those_that_were_shown():
    before = pages(shown(content(block=False)))
    after = pages(seal(envelope(), content(block=False), LAYOUT))
    assert after[: len(before)] == before
    assert after[len(before)].startswith("SignaturesLicensorJohnDoe")


def test_with_a_block_only_the_block_differs_by_the_signatures_of_each_party_side_by_side():
    before, after = (pages(pdf)[0] for pdf in (shown(content()), sealed()))
    text, _begin, block = before.partition("Signature:")
    assert "_" in block
    assert after.startswith(text)
    # Neither signer has a title, and the contact's is not the signer's.
    assert (after.count(f"Title:{SIGNATURE}"), "_" in after.replace(SIGNATURE, "")) == (2, False)
    assert after.endswith("AcmePage1of1")
    assert [
        words in after for words in ("ErikaMuster,Mar5,2026,2:04PMCET(UTC+1)", "Name:JohnDoe", "Name:ErikaMuster")
    ] == [True] * 3
    assert after.count("Date:Mar5,2026") == 2


def test_words_that_signers_saw_are_no_place_for_a_signature():
    words = '<p>The fee is <span class="licensee-signature">EUR 5,000</span>.</p>'
    after = pages(seal(envelope(), content(block=False) + words, LAYOUT))
    assert "ThefeeisEUR5,000." in after[0]
    assert any("ErikaMuster,Mar5,2026,2:04PMCET(UTC+1)" in page for page in after[1:])


def test_the_certificate_page_tells_everything():
    text = pdf_text(sealed())
    told = ["C-2026-0007", "ab" * 32, "erika@muster.example", "203.0.113.7", "Mozilla/5.0", "I agree to sign"]
    told += ["March 5, 2026", "Pipeline development", "https://pipeline.example/verify", "Events", "sent"]
    assert [words for words in told if letters(words) not in letters(text)] == []


@pytest.mark.parametrize("language", ["ar", *(pytest.param(one, marks=pytest.mark.long) for one in LANGUAGES)])
def test_the_certificate_page_speaks_the_contracts_language(language):
    direction = "rtl" if language == "ar" else "ltr"
    made = envelope(language=language, direction=direction)
    layout = {**LAYOUT, "language": language, "direction": direction}
    pdf = seal(made, content(language=language, direction=direction), layout)
    assert faults(pdf) == {}
    assert ("Signature certificate" in pdf_text(pdf)) == (language == "en")


def test_repeated_events_fill_no_book_and_hide_no_signature():
    asked = [SignatureEvent(NOW, "code_sent", "W" * 255, f"192.0.2.{number}") for number in range(200)]
    signed = SignatureEvent(NOW, "signed", "Erika Muster", "203.0.113.9")
    text = pdf_text(seal(envelope(events=(*asked, signed, *asked)), content(), LAYOUT))
    assert [f"192.0.2.{number}" in text for number in (0, 196, 197, 199)] == [False, False, True, True]
    assert "203.0.113.9" in text
    assert "… + 397" in text


@pytest.mark.parametrize("name", ["<b>Erika</b> & Co", "\u202eakirE"])
def test_any_name_is_text(name):
    text = pdf_text(seal(envelope(signature(name)), content(), LAYOUT))
    assert "\u202eakirE" not in text
    assert letters(name.strip("\u202e")) in letters(text)


def test_arabic_names_are_found_in_the_certificate():
    people = [signature(name) for name in ARABIC]
    made = envelope(*people, signature("John Doe", "licensor"), language="ar", direction="rtl")
    layout = {**LAYOUT, "language": "ar", "direction": "rtl"}
    _contract, *certificate = page_texts(seal(made, content(language="ar", direction="rtl"), layout))
    words = set(plain(" ".join(certificate)).split())
    # Poppler turns the two letters of a ligature: لؤي الإبراهيمي.
    assert {word for name in ARABIC for word in name.split()} - words <= {"الإبراهيمي"}


def plain(text):
    """Text without the forms and directions of letters."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


@pytest.mark.parametrize("mark", ["\u0316", pytest.param("\u0300", marks=pytest.mark.long)], ids=["below", "above"])
def test_a_typed_signature_writes_over_nothing_else(mark):
    usual, odd = (
        drawn(seal(envelope(signature(text=text), signature("Jo", "licensor")), content(), LAYOUT))
        for text in ("Erika", f"A{mark * MAX_MARKS}")
    )
    for place in ((0.95, 0, 1, 1), (0, 0.6, 1, 0.9), (0, 0, 1, 0.12)):
        assert part(odd, place) == part(usual, place)


def drawn(pdf):
    command = ["pdftoppm", "-r", "50", "-gray", "-l", "1", "-"]
    return Image.open(io.BytesIO(subprocess.run(command, input=pdf, capture_output=True, check=True).stdout))


def part(image, place):
    """The pixels of a part; (left, top, right, bottom) of 1."""
    return image.crop([int(share * size) for share, size in zip(place, image.size * 2, strict=True)]).tobytes()


def test_the_upload_of_an_executed_copy_admits_a_sealed_pdf(member, contract):
    upload(member, f"/api/contracts/{contract['id']}/executed", sealed(), "signed.pdf", status=201)


FACTS = {"email": f"{'e' * 64}@{'d' * 185}.de", "user_agent": "u" * 500, "consent": max(TEXTS.values(), key=len)}
STEPS = ("sent", "code_sent", "verified", "viewed", "signed")
PLACE = '<span class="blank licensor-signature">____</span>'
# The right edges of the text and of the licensor's column, in points.
EDGE, MIDDLE = 595 - 70, 595 / 2


def ten(name):
    """An envelope of ten signers with this name and the longest of all other facts."""
    people = [signature(name, "licensor", **FACTS) for _ in range(10)]
    address = "2001:db8:85a3:8d3:1319:8a2e:370:7348"
    return envelope(
        *people, events=tuple(SignatureEvent(NOW, step, name, address) for _ in range(10) for step in STEPS)
    )


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
    before = len(page_texts(shown(stored)))
    limits(pages=before)
    found = page_texts(seal(ten("Ŵ" * 20), stored, LAYOUT))
    contract = "".join(found[:before])
    assert (contract.count("See “Signatures”"), contract.count("Ŵ")) == (63, 0)
    assert found[before].count("Ŵ" * 20) == 10 * 2


def test_a_place_in_the_head_of_a_table_is_none_because_each_page_repeats_it():
    rows = "<tr><td>Row</td></tr>" * 90
    stored = f"<table><thead><tr><th>{PLACE}</th></tr></thead>{rows}</table>"
    before = len(page_texts(shown(stored)))
    found = page_texts(seal(envelope(signature("John Doe", "licensor")), stored, LAYOUT))
    assert before > 1
    assert all("____" in text and "John Doe" not in text for text in found[:before])
    assert "JohnDoe,Mar5,2026,2:04PMCET(UTC+1)" in letters(found[before])


def test_ten_large_drawings_share_one_block_and_make_the_copy_larger_and_longer(limits):
    limits(output_mib=1, pages=1)
    drawn = [signature(f"Person {number}", drawing=picture() + bytes(number)) for number in range(10)]
    pdf = seal(envelope(*drawn), content(), LAYOUT)
    assert len(shown(content())) < 1024 * 1024 < len(pdf) < 3_000_000
    text = letters(pdf_text(pdf))
    assert all(f"Person{number},Mar5,2026,2:04PMCET(UTC+1)" in text for number in range(10))
    assert (faults(pdf), len(page_texts(pdf)) > 2) == ({}, True)
