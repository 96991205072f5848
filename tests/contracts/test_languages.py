import io

import docx
import pypdf
import pytest
from structlog.testing import capture_logs

from pipeline.contracts.glyphs import missing_glyphs
from pipeline.documents.document import language_tag
from tests.contracts.support import deal, path_of
from tests.contracts.test_templates import PATH


@pytest.mark.parametrize(
    ("language", "direction", "expected"), [("ar", None, True), ("ar", "ltr", False), ("en", "rtl", True)]
)
def test_the_documents_are_read_as_the_template_says_and_tell_who_issued_them_and_when(
    member, new_template, new_contract, language, direction, expected
):
    contract = new_contract(template_id=new_template(language=language, direction=direction)["id"])
    made = (member.get(f"{path_of(contract)}/{kind}", status=200).body for kind in ("docx", "pdf"))
    word, pdf = (reader(io.BytesIO(file)) for reader, file in zip((docx.Document, pypdf.PdfReader), made, strict=True))
    assert bool(word.styles["Normal"].element.xpath("./w:pPr/w:bidi")) is expected
    assert word.core_properties.language == pdf.trailer["/Root"]["/Lang"] == language_tag(language)
    assert word.core_properties.author == pdf.metadata.author == member.get("/api/organization").json["name"]
    assert word.core_properties.created.date() == pdf.metadata.creation_date.date()
    assert str(word.core_properties.created.year) == contract["created_at"][:4]


# Of a private area, which fonts leave alone.
PRIVATE = "\U0010fffd"


def test_a_template_names_what_no_font_prints_and_where_it_first_stands(admin, new_template):
    template = new_template(content=f"<p>a</p><p>b {PRIVATE}</p><p>{PRIVATE}</p>", footer_left="\U0010fffc")
    assert template["missing_glyphs"] == [
        {"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"},
        {"character": "\U0010fffc", "name": "U+10FFFC", "where": "footer_left"},
    ]
    mended = admin.put(f"{PATH}/{template['id']}", {"content": "<p>a</p>", "footer_left": None}, status=200).json
    assert mended["missing_glyphs"] == []


def test_a_contract_and_its_list_name_them_and_the_log_does(admin, new_template, new_contract):
    template = new_template(content="<h1>{{Contract.number}}</h1><p>{{Contract.name}}</p>")
    with capture_logs() as lines:
        made = new_contract(template_id=template["id"], name=f"Deal {PRIVATE}")
    assert made["missing_glyphs"] == [{"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"}]
    assert admin.get("/api/contracts", status=200).json["data"][0]["missing_glyphs"] == made["missing_glyphs"]
    (line,) = [line for line in lines if line["event"] == "missing_glyphs"]
    assert (line["characters"], line["contract_number"]) == (["U+10FFFD"], made["contract_number"])


def test_the_scripts_of_every_installation_print():
    texts = (
        "Łódź e\u0308 ẞ αβγ Жя",
        "العقد חוזה",
        "สัญญา अनुबंध",
        "契約 계약 けいやく",
        "€₿ ✓\ufe0f\u200d\xad",
        "🚀 👩🏽‍🔧 🇩🇪",
    )
    assert [missing_glyphs(f"<p>{text}</p>", {"header_left": text}) for text in texts] == [[]] * len(texts)


CONTENT = (
    "<p>{{Deal.product_line}}: {{Deal.platforms}} / {{Deal.license_type}}</p>"
    '<ul><li data-each="Deal.features">{{Line.name}}</li></ul><p data-if="Deal.platforms has linux">For Linux</p>'
    "<p>{{Quote.lines_table}}</p>"
)


@pytest.fixture
def definition(admin):
    """The id of a configurator definition with labels for some of its keys."""
    body = {
        "name": "License Server",
        "slug": "license-server",
        "platform_keys": ["linux", "vxworks"],
        "feature_keys": ["audit-log"],
        "license_types": ["perpetual"],
        "labels": {"linux": "Linux", "perpetual": "Perpetual licence", "audit-log": "Audit log"},
    }
    return admin.post("/api/configurator-definitions", body, status=201).json["id"]


@pytest.fixture
def printed(organization, definition, new_template, new_contract):
    """printed(**configuration): the text of a contract for a deal with a configuration and one line."""

    def content(**configuration):
        deal_id = deal(organization)
        organization.insert("configurations", deal_id=deal_id, definition_id=definition, **configuration)
        quote_id = organization.insert("quotes", deal_id=deal_id, quote_number="Q-1", currency="EUR")
        line = {"sku": "S", "platform": "linux", "license_type": "perpetual", "unit_price_minor": 100}
        organization.insert("quote_lines", quote_id=quote_id, position=1, **line)
        return new_contract(template_id=new_template(content=CONTENT)["id"], deal_id=deal_id)["content"]

    return content


def test_platforms_features_and_licence_types_print_by_their_labels_and_are_compared_by_their_keys(printed):
    content = printed(platform_keys=["linux"], feature_keys=["audit-log"], license_type="perpetual")
    assert "<p>License Server: Linux / Perpetual licence</p><ul><li>Audit log</li></ul><p>For Linux</p>" in content
    assert "<td>S<br>Linux<br>Perpetual licence</td>" in content


def test_without_a_label_the_prospects_option_or_else_the_key_prints(organization, printed):
    offered = [{"value": "vxworks", "label": "VxWorks 7"}, {"value": "linux", "label": "Penguin"}]
    question = {"key": "platforms", "type": "multi_choice", "label": "Where?", "options": offered}
    page = {"key": "first", "title": "First", "questions": ["platforms"]}
    invite = organization.invite(organization.template(pages=[page], questions=[question]), deal_id=deal(organization))
    content = printed(invite_id=invite["id"], platform_keys=["vxworks", "linux", "qnx"])
    assert "VxWorks 7, Linux, qnx" in content
