"""A template's language and direction in its contracts."""

import io

import docx
import pypdf
import pytest

from pipeline.contracts.merge.blocks import SIGNATURE
from pipeline.contracts.merge.labels import words_of
from pipeline.documents.columns import SIZE, TEXT_WIDTH, text_width
from pipeline.documents.document import language_tag
from tests.contracts.merging import VALUES, resolved, text_of
from tests.contracts.support import TEMPLATE, deal, quote
from tests.contracts.test_templates import PATH
from tests.support import codes


@pytest.fixture
def files(member):
    """files(contract): python-docx's and pypdf's readers of both documents."""

    def read(contract):
        word, pdf = (member.get(f"/api/contracts/{contract['id']}/{kind}", status=200) for kind in ("docx", "pdf"))
        return docx.Document(io.BytesIO(word.body)), pypdf.PdfReader(io.BytesIO(pdf.body))

    return read


def test_an_unknown_language_or_direction_is_refused(admin):
    answer = admin.post(PATH, {**TEMPLATE, "language": "klingon", "direction": "down"}, status=422)
    assert codes(answer) == [("language", "unknown_locale"), ("direction", "invalid_choice")]


def test_the_words_of_ready_blocks_follow_the_language(organization, new_template, new_contract):
    template = new_template(content="<p>{{Quote.lines_table}}</p><p>{{Contract.signature_block}}</p>", language="de-CH")
    deal_id = deal(organization)
    quote(organization, deal_id, "Q-1")
    content = new_contract(template_id=template["id"], deal_id=deal_id)["content"]
    for word in ("Menge", "Einzelpreis", "Zwischensumme", "Für den Lizenznehmer", "Unterschrift"):
        assert word in content


def test_the_signature_block_knows_the_contact_of_the_deal():
    values = {**VALUES, "Licensee": {"name": "Müller", "contact_name": "Ada Brandt", "contact_title": "CTO"}}
    text = text_of(resolved("<p>{{Contract.signature_block}}</p>", values=values).content)
    assert "Name: Ada Brandt" in text
    assert "Title: CTO" in text
    assert text.count("Name: ____") == 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "ar", "he"])
def test_a_blank_of_a_signature_fits_beside_its_label(language):
    """Of half the page, without the padding, in 10.5 pt."""
    words = words_of(language)
    widths = [text_width(f"{words[word]}: {SIGNATURE}") for word in ("signature", "name", "title", "date")]
    assert max(widths) * 10.5 / SIZE < TEXT_WIDTH / 2 - 14


@pytest.mark.parametrize(
    ("content", "direction", "text"),
    [("{{Quote.total | currency}}", None, "\u200e1,021.00\xa0€\u200e"), ("{{Deal.title}}", "ltr", "Planner")],
)
def test_a_figure_of_an_arabic_contract_is_kept_together(content, direction, text):
    values = {**VALUES, "locale": {"currency": "EUR", "locale": "ar", "direction": direction}}
    assert resolved(content, values=values).content == text


@pytest.mark.parametrize(
    ("language", "direction", "expected"), [("ar", None, True), ("ar", "ltr", False), ("en", "rtl", True)]
)
def test_the_documents_are_read_as_the_template_says(files, new_template, new_contract, language, direction, expected):
    word, pdf = files(new_contract(template_id=new_template(language=language, direction=direction)["id"]))
    assert bool(word.styles["Normal"].element.xpath("./w:pPr/w:bidi")) is expected
    assert word.core_properties.language == pdf.trailer["/Root"]["/Lang"] == language_tag(language)


def test_the_documents_say_who_issued_them_and_when(member, contract, files):
    word, pdf = files(contract)
    organization = member.get("/api/organization", status=200).json
    issuer = organization["legal_name"] or organization["name"]
    assert word.core_properties.author == pdf.metadata.author == issuer
    assert word.core_properties.created.date() == pdf.metadata.creation_date.date()
    assert str(word.core_properties.created.year) == contract["created_at"][:4]
