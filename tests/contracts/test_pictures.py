"""Pictures in the text of templates and contracts."""

import io
import zipfile

import pypdf
import pytest

from tests.contracts.support import image_file, upload
from tests.support import codes

PATH = "/api/pictures"


@pytest.fixture
def picture(admin):
    return upload(admin, PATH, image_file("PNG"), "map.png", "picture", status=201).json


def shown(picture, alt='alt="The site"'):
    return f'<p>The site is <img data-picture="{picture["id"]}" {alt}>.</p>'


def test_a_contract_prints_a_picture_and_keeps_it_when_it_is_deleted(admin, member, made, picture):
    assert (picture["name"], picture["width"], picture["height"]) == ("map", 40, 20)
    contract = made(shown(picture))
    path = f"/api/contracts/{contract['id']}"
    admin.delete(f"{PATH}/{picture['id']}", status=204)
    member.get(f"{PATH}/{picture['id']}", status=404)
    (page,) = pypdf.PdfReader(io.BytesIO(member.get(f"{path}/pdf", status=200).body)).pages
    assert len(page.images) == 1
    word = zipfile.ZipFile(io.BytesIO(member.get(f"{path}/docx", status=200).body))
    assert b'descr="The site"' in word.read("word/document.xml")
    edited = contract["content"].replace("The site is", "Here is")
    assert "Here is <img" in member.patch(path, {"content": edited}, status=200).json["content"]


def test_its_file_is_what_was_sent_without_anything_but_pixels(member, picture):
    answer = member.get(f"{PATH}/{picture['id']}/file", status=200)
    assert (answer.content_type, answer.headers["ETag"]) == ("image/png", f'"{picture["sha256"]}"')


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('<p>A<img data-picture="999999999" alt="B"></p>', "unknown_reference"),
        ('<p>A<img data-picture="x" alt="B"></p>', "unknown_reference"),
        (None, "required"),
    ],
)
def test_a_template_names_pictures_that_exist_and_says_what_they_show(admin, picture, content, code):
    body = {"name": "A", "content": content or shown(picture, "")}
    assert codes(admin.post("/api/contract-templates", body, status=422)) == [("content", code)]


def test_an_image_of_another_kind_is_removed_with_a_warning(admin, new_template):
    template = new_template(content='<p>A<img src="https://a.example/b.png" alt="B"></p>')
    assert template["content"] == "<p>A</p>"
    assert [warning["code"] for warning in template["warnings"]] == ["removed_element"]


def test_a_file_that_is_no_picture_is_refused(admin):
    assert upload(admin, PATH, b"%PDF-1.7", "a.png", "picture", status=422).json["code"] == "unsupported_file"
