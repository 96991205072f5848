"""POST /contract-templates/preview: the document of an unsaved template."""

import io

import pypdf
import pytest

from tests.contracts.support import deal, image_file, upload
from tests.contracts.test_templates import PATH
from tests.documents.support import pdf_text
from tests.http.target import assert_problem
from tests.support import codes

PREVIEW = f"{PATH}/preview"


def printed(api, **body):
    """The text of a preview."""
    response = api.post(PREVIEW, body, status=200)
    assert response.content_type == "application/pdf"
    assert "preview.pdf" in response.headers["Content-Disposition"]
    return pdf_text(response.body)


def test_every_tag_prints_its_example(admin):
    content = "<p>{{Licensee.name}}, {{Quote.total | currency}}</p><p>{{Quote.lines_table}}</p>"
    text = printed(admin, content=content, language="de", footer_left="{{Contract.number}}")
    assert "Northwind Robotics, 51.170,00\u00a0€" in text.replace("51.170,00 €", "51.170,00\u00a0€")
    assert "Einzelpreis" in text
    assert "RO-000042" in text


def test_a_deal_lends_its_values_and_no_number_is_taken(admin, organization, new_contract):
    content = "<p>{{Contract.number}} {{Deal.title}} for {{Contract.term_months}} months {{Quote.number}}</p>"
    text = printed(admin, content=content, deal_id=deal(organization), default_term_months=12, number_prefix="X")
    assert text.startswith("X-000000 Floating seats for 12 months ____")
    assert new_contract()["contract_number"] == "RO-000001"


def test_a_template_lends_its_logo_and_its_language(admin, new_template):
    template = new_template(language="fr")
    upload(admin, f"{PATH}/{template['id']}/logo", image_file("PNG"), "a.png", "logo", status=201)
    body = {"content": '<p>{{Contract.effective_date | date: "long"}}</p>', "template_id": template["id"]}
    pdf = pypdf.PdfReader(io.BytesIO(admin.post(PREVIEW, body, status=200).body))
    assert "février" in pdf.pages[0].extract_text()
    assert len(pdf.pages[0].images) == 1


def test_nothing_of_a_preview_is_stored(admin, organization):
    body = {"content": "<p>{{Deal.title}}</p>", "deal_id": deal(organization)}
    before = organization.rows()
    for _ in range(2):
        answer = admin.post(PREVIEW, body, headers={"Idempotency-Key": "preview"}, status=200)
        assert "Idempotency-Replayed" not in answer.headers
    assert organization.rows() == before


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"content": "<p>{{Deal.titel}}</p>"}, [("content", "unknown_tag")]),
        (
            {"content": "<p>x</p>", "deal_id": 999_999_999, "template_id": 999_999_999},
            [("deal_id", "unknown_reference"), ("template_id", "unknown_reference")],
        ),
        ({"content": "<table><tr>" + "<td>x</td>" * 61 + "</tr></table>"}, [("content", "not_printable")]),
    ],
    ids=["tags", "references", "columns"],
)
def test_what_a_template_would_be_refused_for_is_refused(admin, body, wrong):
    assert sorted(codes(admin.post(PREVIEW, body, status=422))) == wrong


def test_a_preview_that_no_document_can_hold_says_so(admin, too_complex):
    assert_problem(admin.post(PREVIEW, {"content": "<p>x</p>"}), 422, "document_too_complex")
