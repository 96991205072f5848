"""The text of the certificate page: readable for programs, the same as a Word file has it, in Arabic too."""

import unicodedata
from collections import Counter

import pytest

from pipeline import documents
from pipeline.documents import Document
from pipeline.signing.sealing import certificates, signed_document
from tests.documents.support import FOOTER, letters, page_texts, word_text
from tests.signing import envelopes
from tests.signing.envelopes import LAYOUT, content, envelope, seal, signature

# Above the first line of a certificate, in points.
BODY = 60
ARABIC = ["محمد علي", "لؤي الإبراهيمي", "عبد الرحمن بن خلدون"]


def arabic(*names):
    """An envelope in Arabic with these signers, its content and its layout."""
    people = [signature(name, email=f"s{number}@x.example") for number, name in enumerate(names)]
    made = envelope(*people, signature("John Doe", "licensor"), language="ar", direction="rtl")
    return made, content(language="ar", direction="rtl"), {**LAYOUT, "language": "ar", "direction": "rtl"}


def certificate(pdf):
    """The text of the pages after the contract's only one."""
    return "\n".join(page_texts(pdf, BODY, FOOTER)[1:])


def plain(text):
    """Text without the forms and directions of letters."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")


def test_arabic_names_are_found_in_the_certificate():
    words = set(plain(certificate(seal(*arabic(*ARABIC)))).split())
    # Poppler turns the two letters of a ligature: لؤي الإبراهيمي.
    assert {word for name in ARABIC for word in name.split()} - words <= {"الإبراهيمي"}


@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.long), "ar"])
def test_the_certificate_has_the_text_that_word_gives_it(language):
    direction = "rtl" if language == "ar" else "ltr"
    given = (envelope(language=language, direction=direction), content(language=language, direction=direction))
    if language == "ar":
        given = arabic(*ARABIC)[:2]
    layout = {**LAYOUT, "language": language, "direction": direction}
    identity = certificates.read(envelopes.settings, given[0].organization_id)
    closing = signed_document(*given, layout, certificates.described(identity, envelopes.settings)).closing
    word = documents.render("docx", Document("Certificate", language, closing.content, direction=direction))
    assert Counter(letters(plain(word_text(word)))) == Counter(letters(plain(certificate(seal(*given, layout)))))
