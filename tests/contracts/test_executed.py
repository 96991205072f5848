"""The executed copy: accepted uploads, downloads, replacements."""

import hashlib

import pytest

from tests.contracts.support import DOCX_TYPES, docx_file, image_file, pdf_file, png_of_size, upload
from tests.support import codes

LIMIT = 25 * 1024 * 1024
PDF, ZIP, PNG, JPEG = pdf_file(), docx_file(), image_file("PNG"), image_file("JPEG")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture
def path(contract):
    """The path of a contract's executed copy."""
    return f"/api/contracts/{contract['id']}/executed"


GOOD = {
    "signed.pdf": (PDF, "application/pdf"),
    "signed.docx": (ZIP, DOCX),
    "signed.PNG": (PNG, "image/png"),
    "signed.jpeg": (JPEG, "image/jpeg"),
}


@pytest.mark.parametrize("filename", GOOD)
def test_a_signed_copy_comes_back_as_it_went(organization, member, path, filename):
    content, content_type = GOOD[filename]
    record = upload(member, path, content, filename, status=201).json
    stored = record["executed_file"]
    assert record["status"] == "executed"
    assert (stored["filename"], stored["content_type"], stored["size"]) == (filename, content_type, len(content))
    assert stored["sha256"] == hashlib.sha256(content).hexdigest()
    answer = member.get(path, status=200)
    assert (answer.body, answer.content_type) == (content, content_type)
    assert answer.headers["Content-Disposition"] == f"attachment; filename=\"{filename}\"; filename*=UTF-8''{filename}"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert member.get(path[: -len("/executed")]).json == record


def test_a_copy_of_the_largest_size_is_taken_and_a_larger_one_is_not(member, path):
    padding = b"%" * (LIMIT - 300)
    padding += b"%" * (LIMIT - len(pdf_file(padding)))
    upload(member, path, pdf_file(padding), "signed.pdf", status=201)
    assert upload(member, path, pdf_file(padding + b"%"), "signed.pdf").status_int == 413


# {what a file is: (its name, its content or what makes it)}
ODD = {
    "no extension": ("signed", PDF),
    "a foreign extension": ("signed.exe", PDF),
    "only an extension": ("pdf", PDF),
    "another type's extension": ("signed.docx", PDF),
    "an image as pdf": ("signed.pdf", PNG),
    "a pdf as image": ("signed.png", PDF),
    "text": ("signed.pdf", b"hello"),
    "html": ("signed.pdf", b"<html>" + PDF),
    "a pdf with something before it": ("signed.pdf", pdf_file(before=b"GIF89a\n")),
    "a pdf with something after it": ("signed.pdf", pdf_file(after=b"<script>" + b"x" * 2000)),
    "a pdf with little after it": ("signed.pdf", pdf_file(after=b"x")),
    "a pdf that is cut off": ("signed.pdf", PDF[:-30]),
    "a pdf without a table": ("signed.pdf", PDF.replace(b"xref\n0 3", b"xxxx\n0 3")),
    "a pdf that is a zip": ("signed.pdf", PDF[:-7] + ZIP),
    "a pdf that is a zip with the pdf's end as comment": (
        "signed.pdf",
        PDF[:20] + ZIP[:-2] + len(PDF[20:]).to_bytes(2, "little") + PDF[20:],
    ),
    "a png that is cut off": ("signed.png", PNG[:-10]),
    "a png with something after it": ("signed.png", PNG + b"%PDF-1.7"),
    "a png of wrong checksums": ("signed.png", PNG.replace(b"IDAT", b"IDAX")),
    "a huge png": ("signed.png", png_of_size(50_000, 50_000)),
    "a jpeg that is cut off": ("signed.jpg", image_file("JPEG", (200, 200))[:-40]),
    "a jpeg that is a zip": ("signed.jpg", JPEG + ZIP),
    "a jpeg that is a pdf": ("signed.jpg", image_file("JPEG", comment=b"%PDF-1.7 1 0 obj")),
    "a huge jpeg": ("signed.jpg", lambda: image_file("JPEG", (20_000, 6_000), "L")),
    "a spreadsheet": ("signed.docx", docx_file(DOCX_TYPES.replace("wordprocessingml", "spreadsheetml"))),
    "an encrypted document": ("signed.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600),
    "a zip without a document": ("signed.docx", ZIP.replace(b"word/document.xml", b"word/document.txt")),
    "a zip of ends alone": ("signed.docx", lambda: b"PK\x05\x06" * 2_000_000),
    "a zip with something before it": ("signed.docx", b"PK\x03\x04" + ZIP),
    "a zip with something after it": ("signed.docx", ZIP + b"more"),
    "a zip that is cut off": ("signed.docx", ZIP[:-10]),
    "a zip bomb": ("signed.docx", lambda: docx_file(parts={f"{i}.xml": b"\0" * 60_000_000 for i in range(9)})),
    "a zip of too many parts": ("signed.docx", lambda: docx_file(parts={f"{i}.xml": b"" for i in range(5_001)})),
    "a word file of old": ("signed.doc", b"\xd0\xcf\x11\xe0"),
}


@pytest.mark.parametrize("oddity", ODD)
def test_what_is_not_exactly_what_its_name_says_is_refused(member, path, oddity):
    filename, content = ODD[oddity]
    answer = upload(member, path, content() if callable(content) else content, filename, status=422)
    assert (answer.json["code"], codes(answer)) == ("unsupported_file", [("file", "unsupported_file")])
    member.get(path, status=404)


def test_another_copy_takes_its_place_and_the_first_stays_in_the_history(organization, owner, member, path):
    first = upload(member, path, pdf_file(b"first"), "first.pdf", status=201).json
    upload(member, path, pdf_file(b"second"), "second.pdf", status=201)
    assert member.get(path, status=200).body == pdf_file(b"second")
    history = owner.execute(
        "select f.filename from app.contract_documents d join app.files f "
        "on f.organization_id = d.organization_id and f.id = d.file_id "
        "where d.kind = 'executed' and d.contract_id = %s order by d.id",
        (first["id"],),
    ).fetchall()
    assert history == [("first.pdf",), ("second.pdf",)]


def test_only_an_admin_deletes_the_copy_and_the_contract_is_active_again(organization, member, admin, path):
    upload(member, path, pdf_file(), "signed.pdf", status=201)
    member.delete(path, status=403)
    admin.delete(path, status=204)
    admin.delete(path, status=404)
    record = member.get(path[: -len("/executed")]).json
    assert (record["status"], record["executed_file"]) == ("active", None)
    member.get(path, status=404)


@pytest.mark.parametrize("control", ["\u202a", "\u202e", "\u2066", "\u2069"])
def test_a_file_whose_name_changes_the_direction_of_reading_is_refused(member, path, control):
    refused = upload(member, path, pdf_file(), f"invoice{control}fdp.pdf", status=422)
    assert codes(refused) == [("file", "invalid_characters")]
