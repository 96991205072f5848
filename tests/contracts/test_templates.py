import io

import pypdf
import pytest
from PIL import Image

from pipeline.contracts.merge import catalogue
from pipeline.contracts.merge.values.filters import FILTERS
from tests.contracts.support import TEMPLATE, deal, image_file, png_of_size, upload
from tests.documents.support import pdf_text
from tests.http.target import assert_problem
from tests.support import codes

PATH = "/api/contract-templates"


@pytest.fixture
def path(template):
    return f"{PATH}/{template['id']}"


def test_a_put_changes_what_is_sent_alone_and_null_gives_the_default_back(admin, new_template):
    template = new_template(header_left="Left", footer_right="{{page}} of {{pages}}", number_prefix="A-1")
    changed = admin.put(f"{PATH}/{template['id']}", {"default_term_months": 12}, status=200).json
    assert changed == {**template, "default_term_months": 12, "updated_at": changed["updated_at"]}
    nothing = {"header_left": None, "number_prefix": None, "default_term_months": None, "name": None, "content": ""}
    changed = admin.put(f"{PATH}/{template['id']}", nothing, status=200).json
    assert (changed["header_left"], changed["number_prefix"], changed["default_term_months"]) == (None, "RO", 36)
    assert (changed["name"], changed["content"]) == (template["name"], template["content"])


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"content": None}, ("content", "required")),
        ({"content": "<script>alert(1)</script>"}, ("content", "required")),
        ({"content": "<p>&nbsp;<br></p><hr>"}, ("content", "required")),
        ({"content": "&#8203;"}, ("content", "required")),
        ({"content": "<table><tr><td> </table>"}, ("content", "required")),
        ({"content": "<ol><li>" * 10 + "a"}, ("content", "not_printable")),
        ({"content": "<table><tr>" + "<td>a" * 61}, ("content", "not_printable")),
        ({"content": '<table style="width: 9000cm"><tr><td>a'}, ("content", "not_printable")),
        ({"number_prefix": "ro"}, ("number_prefix", "invalid_format")),
        ({"number_prefix": "-A"}, ("number_prefix", "invalid_format")),
        ({"default_term_months": 1201}, ("default_term_months", "out_of_range")),
        ({"logo": None}, ("logo", "unknown_field")),
        ({"language": "klingon"}, ("language", "unknown_locale")),
        ({"direction": "down"}, ("direction", "invalid_choice")),
        ({"page_size": "A5"}, ("page_size", "invalid_choice")),
        ({"orientation": "diagonal"}, ("orientation", "invalid_choice")),
        ({"watermark": "x" * 31}, ("watermark", "too_long")),
    ],
)
def test_a_bad_template_is_refused_by_field(admin, changes, wrong):
    assert codes(admin.post(PATH, {**TEMPLATE, **changes}, status=422)) == [wrong]


def test_a_change_is_checked_like_a_new_template(admin, template, path):
    answer = admin.put(path, {"footer_left": "{{Nobody.name}}"}, status=422)
    assert codes(answer) == [("footer_left", "unknown_tag")]
    assert admin.get(path).json == template


SEVERAL = {"save_all": True, "append_images": [Image.new("RGB", (8, 8))]}


@pytest.mark.parametrize(
    ("kind", "content_type", "options"),
    [("PNG", "image/png", {}), ("JPEG", "image/jpeg", {}), ("MPO", "image/jpeg", SEVERAL)],
)
def test_a_logo_is_made_anew_without_its_metadata(owner, admin, template, path, kind, content_type, options):
    exif = Image.Exif()
    exif[0x010F] = "secret maker"
    answer = upload(admin, f"{path}/logo", image_file(kind, exif=exif, **options), "a.gif", "logo", status=201)
    assert answer.json["logo"]["content_type"] == content_type
    ((stored,),) = owner.execute(
        "select c.content from app.file_chunks c join app.contract_templates t "
        "on t.organization_id = c.organization_id and t.logo_file_id = c.file_id "
        "where t.id = %s",
        (template["id"],),
    )
    assert b"secret maker" not in stored
    assert Image.open(io.BytesIO(stored)).size == (40, 20)


@pytest.mark.parametrize(
    "content",
    [
        b"GIF89a" + b"\0" * 100,
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        png_of_size(30_000, 30_000),
        png_of_size(1000, 1000),
        b"%PDF-1.7",
    ],
)
def test_a_damaged_png_or_jpeg_is_no_logo(admin, path, content):
    answer = upload(admin, f"{path}/logo", content, "a.png", "logo", status=422)
    assert (answer.json["code"], codes(answer)) == ("unsupported_file", [("logo", "unsupported_file")])


def test_a_logo_has_at_most_two_mebibytes_and_is_taken_away(admin, path):
    upload(admin, f"{path}/logo", b"\0" * (2 * 1024 * 1024 + 1), "a.png", "logo", status=413)
    upload(admin, f"{path}/logo", image_file("PNG"), "a.png", "logo", status=201)
    for status in (204, 404):
        admin.delete(f"{path}/logo", status=status)
    assert admin.get(path).json["logo"] is None


def test_the_catalogue_is_printed_as_pdf_or_given_as_bytes_to_a_client_that_prefers_them(admin):
    pdf = admin.get(f"{PATH}/tags/pdf", status=200)
    words = {word for page in pypdf.PdfReader(io.BytesIO(pdf.body)).pages for word in page.extract_text().split()}
    tags = ["{{" + tag["tag"] + "}}" for group in catalogue() for tag in group["tags"]]
    assert {*tags, *FILTERS} - words == set(), "none is broken over lines"
    accept = "application/octet-stream, */*;q=0.5"
    same = admin.get(f"{PATH}/tags/pdf", headers={"Accept": accept}, status=200)
    assert (pdf.content_type, same.content_type, same.body) == ("application/pdf", "application/octet-stream", pdf.body)


def test_the_answer_lists_what_the_template_does_not_keep_until_other_content_is_sent(admin, template, path):
    assert template["warnings"] == []
    warned = admin.put(path, {"content": "<p><font>a</font></p>"}, status=200).json["warnings"]
    assert [warning["code"] for warning in warned] == ["removed_element"]
    assert admin.patch(path, {"name": "Other"}, status=200).json["warnings"] == warned
    assert admin.put(path, {"content": "<p>b</p>"}, status=200).json["warnings"] == []


PREVIEW = f"{PATH}/preview"


def test_every_tag_and_ready_block_prints_its_example_in_the_language(admin):
    content = "<p>{{Licensee.name}}</p><p>{{Quote.lines_table}}</p><p>{{Contract.signature_block}}</p>"
    body = {"content": content, "language": "de-CH", "footer_left": "{{Contract.number}}"}
    text = pdf_text(admin.post(PREVIEW, body, status=200).body)
    for words in ("Northwind Robotics", "Menge", "Einzelpreis", "Für den Lizenznehmer", "Unterschrift", "RO-000042"):
        assert words in text


def test_a_deal_lends_its_values_and_nothing_is_stored(admin, organization):
    deal_id, before = deal(organization), organization.rows()
    content = "<p>{{Contract.number}} {{Deal.title}} for {{Contract.term_months}} months {{Quote.number}}</p>"
    body = {"content": content, "deal_id": deal_id, "default_term_months": 12, "number_prefix": "X"}
    for _ in range(2):
        answer = admin.post(PREVIEW, body, headers={"Idempotency-Key": "preview"}, status=200)
        assert "Idempotency-Replayed" not in answer.headers
        assert pdf_text(answer.body).startswith("X-000000 Floating seats for 12 months ____")
    assert (answer.content_type, "preview.pdf" in answer.headers["Content-Disposition"]) == ("application/pdf", True)
    assert organization.rows() == before


def test_a_template_lends_its_logo_and_its_language(admin, new_template):
    template = new_template(language="fr")
    upload(admin, f"{PATH}/{template['id']}/logo", image_file("PNG"), "a.png", "logo", status=201)
    body = {"content": '<p>{{Contract.effective_date | date: "long"}}</p>', "template_id": template["id"]}
    pdf = pypdf.PdfReader(io.BytesIO(admin.post(PREVIEW, body, status=200).body))
    assert "février" in pdf.pages[0].extract_text()
    assert len(pdf.pages[0].images) == 1


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"content": "<p>{{Deal.titel}}</p>"}, [("content", "unknown_tag")]),
        (
            {"content": "<p>x</p>", "deal_id": 999_999_999, "template_id": 999_999_999},
            [("deal_id", "unknown_reference"), ("template_id", "unknown_reference")],
        ),
    ],
)
def test_a_preview_refuses_what_a_template_refuses(admin, body, wrong):
    assert sorted(codes(admin.post(PREVIEW, body, status=422))) == wrong


def test_a_preview_that_no_document_can_hold_says_so(admin, too_complex):
    assert_problem(admin.post(PREVIEW, {"content": "<p>x</p>"}), 422, "document_too_complex")


REVISED = {**TEMPLATE, "content": "<p>Fee <del>90</del><ins>60</ins> {{Deal.currency}}</p>"}


def test_open_revisions_are_refused_until_the_author_accepts_them(admin):
    answer = admin.post(PATH, {**REVISED, "footer_left": "{{No.tag}}"}, status=422)
    assert sorted(codes(answer)) == [("content", "open_revisions"), ("footer_left", "unknown_tag")]
    assert "1 insertion and 1 deletion" in answer.json["errors"][0]["message"]
    template = admin.post(f"{PATH}?revisions=accept", REVISED, status=201).json
    assert template["content"] == "<p>Fee 60 {{Deal.currency}}</p>"
    assert template["warnings"][0]["code"] == "accepted_revisions"


@pytest.mark.parametrize("method", ["put", "patch"])
def test_a_change_of_a_template_asks_for_its_revisions_too(admin, path, method):
    change = {"content": REVISED["content"]}
    assert codes(getattr(admin, method)(path, change, status=422)) == [("content", "open_revisions")]
    assert (
        getattr(admin, method)(f"{path}?revisions=accept", change, status=200).json["content"].startswith("<p>Fee 60")
    )


def test_previews_clauses_and_edits_ask_for_open_revisions(admin, member, contract):
    content, clause = REVISED["content"], {"key": "fee", "name": "Fee", "content": "<p><ins>60</ins></p>"}
    assert codes(admin.post(f"{PATH}/preview", {"content": content}, status=422)) == [("content", "open_revisions")]
    assert codes(admin.post("/api/clauses", clause, status=422)) == [("content", "open_revisions")]
    assert admin.post("/api/clauses?revisions=accept", clause, status=201).json["content"] == "<p>60</p>"
    edit = f"/api/contracts/{contract['id']}"
    assert codes(member.patch(edit, {"content": content}, status=422)) == [("content", "open_revisions")]
    assert "Fee 60" in member.patch(f"{edit}?revisions=accept", {"content": content}, status=200).json["content"]


def test_a_contract_prints_on_the_paper_of_its_template(admin, member, new_template, new_contract):
    template = new_template(page_size="Letter", orientation="landscape")
    contract = new_contract(template_id=template["id"])
    pages = pypdf.PdfReader(io.BytesIO(member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body)).pages
    assert [round(float(side)) for side in pages[0].mediabox[2:]] == [792, 612]
    assert admin.get(f"{PATH}/{template['id']}").json["page_size"] == "Letter"
