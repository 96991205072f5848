"""Contract templates: their fields, their HTML, their tags, their logo."""

import io

import pypdf
import pytest
from PIL import Image

from pipeline.contracts.merge import catalogue
from pipeline.contracts.merge.filters import FILTERS
from tests.contracts.support import TEMPLATE, image_file, png_of_size, upload
from tests.support import codes

PATH = "/api/contract-templates"


@pytest.fixture
def path(template):
    return f"{PATH}/{template['id']}"


def test_a_new_template_has_its_defaults(admin, member):
    answer = admin.post(PATH, TEMPLATE, status=201)
    template = answer.json
    assert (template["number_prefix"], template["default_term_months"], template["logo"]) == ("RO", 36, None)
    assert answer.headers["Location"].endswith(f"{PATH}/{template['id']}")
    assert member.get(f"{PATH}/{template['id']}", status=200).json == template


def test_a_list_leaves_the_content_out(member, new_template):
    b, a = new_template(name="b"), new_template(name="A")
    del a["content"], b["content"]
    assert member.get(PATH, status=200).json["data"] == [a, b]


def test_a_put_changes_what_is_sent_alone(admin, new_template):
    template = new_template(header_left="Left", footer_right="{{page}} of {{pages}}", number_prefix="A-1")
    changed = admin.put(f"{PATH}/{template['id']}", {"default_term_months": 12}, status=200).json
    assert changed == {**template, "default_term_months": 12, "updated_at": changed["updated_at"]}


def test_null_gives_a_field_its_default_back_and_a_needed_one_stays(admin, new_template):
    template = new_template(header_left="Left", number_prefix="X", default_term_months=1)
    nothing = {"header_left": None, "number_prefix": None, "default_term_months": None, "name": None, "content": ""}
    changed = admin.put(f"{PATH}/{template['id']}", nothing, status=200).json
    assert (changed["header_left"], changed["number_prefix"], changed["default_term_months"]) == (None, "RO", 36)
    assert (changed["name"], changed["content"]) == (template["name"], template["content"])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"content": None}, "content"),
        ({"number_prefix": "ro"}, "number_prefix"),
        ({"number_prefix": "-A"}, "number_prefix"),
        ({"default_term_months": 1201}, "default_term_months"),
        ({"logo": None}, "logo"),
        ({"content": "<script>alert(1)</script>"}, "content"),
    ],
)
def test_a_bad_template_is_refused_by_field(admin, changes, field):
    assert [name for name, _ in codes(admin.post(PATH, {**TEMPLATE, **changes}, status=422))] == [field]


@pytest.mark.parametrize("content", ["<p></p>", "<p>&nbsp;<br></p><hr>", "&#8203;", "<table><tr><td> </table>"])
def test_content_that_prints_nothing_is_refused(admin, content):
    assert codes(admin.post(PATH, {**TEMPLATE, "content": content}, status=422)) == [("content", "required")]


def test_a_change_is_checked_like_a_new_template(admin, template, path):
    answer = admin.put(path, {"footer_left": "{{Nobody.name}}"}, status=422)
    assert codes(answer) == [("footer_left", "unknown_tag")]
    assert admin.get(path).json == template


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<ol><li>" * 10 + "a", "Lists are nested more than 9 deep."),
        ("<table><tr>" + "<td>a" * 61, "A table has more than 60 columns."),
        ('<table style="width: 9000cm"><tr><td>a', "A width of 9000cm is too large."),
    ],
)
def test_what_no_document_can_hold_is_refused_before_a_contract_is_made_of_it(admin, content, reason):
    answer = admin.post(PATH, {**TEMPLATE, "content": content}, status=422)
    assert codes(answer) == [("content", "not_printable")]
    assert reason in answer.json["errors"][0]["message"]


def test_a_deleted_template_is_gone_for_its_users(admin, member, path, contract):
    admin.delete(path, status=204)
    admin.put(path, {"name": "x"}, status=404)
    upload(admin, f"{path}/logo", image_file("PNG"), "a.png", "logo", status=404)
    assert member.get(PATH).json["data"] == []
    member.get(f"/api/contracts/{contract['id']}", status=200)


@pytest.mark.parametrize(("kind", "content_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
def test_a_logo_is_made_anew_without_its_metadata(owner, admin, template, path, kind, content_type):
    exif = Image.Exif()
    exif[0x010F] = "secret maker"
    answer = upload(admin, f"{path}/logo", image_file(kind, exif=exif), "a.gif", "logo", status=201)
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
        image_file("PNG")[:60],
        png_of_size(30_000, 30_000),
        png_of_size(1000, 1000),
        image_file("JPEG")[:200],
        b"%PDF-1.7",
    ],
)
def test_what_is_no_sound_png_or_jpeg_is_no_logo(admin, path, content):
    answer = upload(admin, f"{path}/logo", content, "a.png", "logo", status=422)
    assert (answer.json["code"], codes(answer)) == ("unsupported_file", [("logo", "unsupported_file")])


def test_a_logo_has_at_most_two_mebibytes(admin, path):
    upload(admin, f"{path}/logo", b"\0" * (2 * 1024 * 1024 + 1), "a.png", "logo", status=413)


def test_a_logo_is_taken_away(admin, path):
    upload(admin, f"{path}/logo", image_file("PNG"), "a.png", "logo", status=201)
    for status in (204, 404):
        admin.delete(f"{path}/logo", status=status)
    assert admin.get(path).json["logo"] is None


@pytest.mark.parametrize(
    ("accept", "type"),
    [
        ("application/octet-stream, */*;q=0.5", "application/octet-stream"),
        ("application/pdf", "application/pdf"),
        ("*/*", "application/pdf"),
    ],
)
def test_a_file_is_given_as_bytes_to_a_client_that_prefers_them(admin, accept, type):
    answer = admin.get("/api/contract-templates/tags/pdf", headers={"Accept": accept}, status=200)
    assert (answer.content_type, answer.body[:5]) == (type, b"%PDF-")


def test_the_catalogue_is_printed_as_pdf(admin):
    pdf = admin.get(f"{PATH}/tags/pdf", status=200).body
    words = {word for page in pypdf.PdfReader(io.BytesIO(pdf)).pages for word in page.extract_text().split()}
    tags = ["{{" + tag["tag"] + "}}" for group in catalogue() for tag in group["tags"]]
    assert {*tags, *FILTERS} - words == set(), "none is broken over lines"


def test_the_answer_lists_what_the_template_does_not_keep_until_other_content_is_sent(admin, template, path):
    assert template["warnings"] == []
    warned = admin.put(path, {"content": "<p><font>a</font></p>"}, status=200).json["warnings"]
    assert [warning["code"] for warning in warned] == ["removed_element"]
    assert admin.patch(path, {"name": "Other"}, status=200).json["warnings"] == warned
    assert admin.put(path, {"content": "<p>b</p>"}, status=200).json["warnings"] == []
