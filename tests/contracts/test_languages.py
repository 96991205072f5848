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


def in_language(content, locale, direction=None):
    """The text of a template filled in a language."""
    values = {**VALUES, "locale": {"currency": "EUR", "locale": locale, "direction": direction}}
    return text_of(resolved(content, values=values).content)


def test_a_template_has_the_organizations_language_until_it_names_another(admin, new_template):
    template = new_template()
    assert (template["language"], template["direction"]) == (None, None)
    changed = admin.put(f"{PATH}/{template['id']}", {"language": "ar", "direction": "rtl"}, status=200).json
    assert (changed["language"], changed["direction"]) == ("ar", "rtl")


def test_an_unknown_language_or_direction_is_refused(admin):
    answer = admin.post(PATH, {**TEMPLATE, "language": "klingon", "direction": "down"}, status=422)
    assert codes(answer) == [("language", "unknown_locale"), ("direction", "invalid_choice")]


def test_months_and_figures_are_written_in_the_templates_language(new_template, new_contract):
    content = '<p>{{Contract.effective_date | date: "long"}}</p>'
    german, arabic = (new_template(content=content, language=language) for language in ("de", "ar"))
    assert "1. Februar 2026" in new_contract(template_id=german["id"])["content"]
    assert "فبراير" in new_contract(template_id=arabic["id"])["content"]


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


def test_a_figure_of_an_arabic_contract_is_kept_together():
    assert in_language("<p>{{Quote.total | currency}}</p>", "ar") == "\u200e1,021.00\xa0€\u200e"
    assert in_language("<p>{{Deal.title}}</p>", "ar", "ltr") == "Planner"


@pytest.mark.parametrize(
    ("language", "direction", "expected"), [("ar", None, True), ("ar", "ltr", False), ("en", "rtl", True)]
)
def test_the_documents_are_read_as_the_template_says(member, new_template, new_contract, language, direction, expected):
    contract = new_contract(template_id=new_template(language=language, direction=direction)["id"])
    path = f"/api/contracts/{contract['id']}"
    word = docx.Document(io.BytesIO(member.get(f"{path}/docx", status=200).body))
    assert bool(word.styles["Normal"].element.xpath("./w:pPr/w:bidi")) is expected
    assert word.core_properties.language == language_tag(language)
    pdf = pypdf.PdfReader(io.BytesIO(member.get(f"{path}/pdf", status=200).body))
    assert pdf.trailer["/Root"]["/Lang"] == language_tag(language)


def test_the_documents_say_who_issued_them_and_when(member, contract):
    path = f"/api/contracts/{contract['id']}"
    word = docx.Document(io.BytesIO(member.get(f"{path}/docx", status=200).body)).core_properties
    pdf = pypdf.PdfReader(io.BytesIO(member.get(f"{path}/pdf", status=200).body)).metadata
    organization = member.get("/api/organization", status=200).json
    assert word.author == pdf.author == (organization["legal_name"] or organization["name"])
    assert word.created.date() == pdf.creation_date.date()
    assert str(word.created.year) == contract["created_at"][:4]
