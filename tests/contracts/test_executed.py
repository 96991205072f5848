import hashlib
import zlib

import pytest

from tests.contracts.support import DOCX_TYPES, docx_file, image_file, path_of, pdf_file, png_of_size, upload
from tests.files import hostile_pdf
from tests.support import codes

LIMIT = 25 * 1024 * 1024
PDF, ZIP, PNG, JPEG = pdf_file(), docx_file(), image_file("PNG"), image_file("JPEG")
# Empty, with its checksum.
PNG_PART = b"\0\0\0\0abCd" + zlib.crc32(b"abCd").to_bytes(4)
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture
def path(contract):
    return f"{path_of(contract)}/executed"


GOOD = {
    "signed.pdf": (PDF, "application/pdf"),
    "signed.docx": (ZIP, DOCX),
    "signed.PNG": (PNG, "image/png"),
    "signed.jpeg": (JPEG, "image/jpeg"),
}


@pytest.mark.parametrize("filename", GOOD)
def test_a_signed_copy_comes_back_as_it_went(member, path, filename):
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
    assert member.get(path.removesuffix("/executed")).json == record


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
    "text": ("signed.pdf", b"hello"),
    "another kind": ("signed.pdf", PNG),
    "an image of another kind": ("signed.png", JPEG),
    "html": ("signed.pdf", b"<html>" + PDF),
    "a pdf with something before it": ("signed.pdf", pdf_file(before=b"GIF89a\n")),
    "a pdf with something after it": ("signed.pdf", pdf_file(after=b"<script>" + b"x" * 2000)),
    "a pdf with little after it": ("signed.pdf", pdf_file(after=b"x")),
    "a pdf that starts a program": ("signed.pdf", hostile_pdf.hidden),
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
    "a png of countless parts": ("signed.png", lambda: PNG[:33] + PNG_PART * 20_000 + PNG[33:]),
    "a jpeg of countless parts": ("signed.jpg", lambda: JPEG[:2] + b"\xff\xfe\0\x02" * 20_000 + JPEG[2:]),
    "a jpeg of countless fill bytes": ("signed.jpg", lambda: JPEG[:2] + b"\xff" * 20_000 + JPEG[2:]),
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


@pytest.mark.parametrize("control", ["\u202a", "\u202e", "\u2066", "\u2069"])
def test_a_file_whose_name_changes_the_direction_of_reading_is_refused(member, path, control):
    refused = upload(member, path, pdf_file(), f"invoice{control}fdp.pdf", status=422)
    assert codes(refused) == [("file", "invalid_characters")]


@pytest.mark.parametrize("oddity", ODD)
def test_a_file_that_differs_from_its_name_is_refused(member, path, oddity):
    filename, content = ODD[oddity]
    answer = upload(member, path, content() if callable(content) else content, filename, status=422)
    assert (answer.json["code"], codes(answer)) == ("unsupported_file", [("file", "unsupported_file")])
    member.get(path, status=404)


def test_another_copy_takes_its_place_until_an_admin_deletes_it_and_the_history_keeps_both(owner, member, admin, path):
    first = upload(member, path, pdf_file(b"first"), "first.pdf", status=201).json
    upload(member, path, pdf_file(b"second"), "second.pdf", status=201)
    assert member.get(path, status=200).body == pdf_file(b"second")
    history = owner.execute(
        "select f.filename from app.contract_documents d join app.files f "
        "on f.organization_id = d.organization_id and f.id = d.file_id "
        "where d.kind = 'executed' and d.contract_id = %s order by d.id",
        (first["id"],),
    )
    assert history.fetchall() == [("first.pdf",), ("second.pdf",)]
    for api, status in ((member, 403), (admin, 204), (admin, 404)):
        api.delete(path, status=status)
    record = member.get(path.removesuffix("/executed")).json
    assert (record["status"], record["executed_file"]) == ("active", None)
    member.get(path, status=404)


@pytest.fixture
def whole(new_template, new_contract):
    """A function that makes a contract of a template whose tags all have values."""
    template = new_template(content="<h1>{{Contract.number}}</h1>", name="Whole")["id"]
    return lambda: new_contract(template_id=template)


@pytest.fixture
def signed(member):
    """signed(contract, content, filename): the codes of the contract's warnings, once a copy is uploaded."""

    def warned(contract, content, filename="signed.pdf"):
        answer = upload(member, f"{path_of(contract)}/executed", content, filename, status=201)
        assert answer.json == member.get(path_of(contract), status=200).json
        return [warning["code"] for warning in answer.json["warnings"]]

    return warned


@pytest.fixture
def printed(member):
    """printed(contract): the bytes of its PDF."""
    return lambda contract: member.get(f"{path_of(contract)}/pdf", status=200).body


def test_an_activation_with_an_unresolved_tag_warns(contract, member, signed):
    assert (contract["warnings"], contract["unresolved_tags"]) == ([], ["Licensee.name", "Deal.title"])
    (warning,) = member.patch(path_of(contract), {"status": "active"}, status=200).json["warnings"]
    assert warning["code"] == "unresolved_tags"
    assert warning["message"].endswith("had no value: Licensee.name, Deal.title.")
    assert signed(contract, pdf_file()) == ["unresolved_tags", "number_not_checked"]


def test_a_contract_with_all_values_and_a_copy_with_its_number_warn_of_nothing(whole, member, signed, printed):
    contract = whole()
    assert member.patch(path_of(contract), {"status": "active"}, status=200).json["warnings"] == []
    assert signed(contract, printed(contract)) == []
    assert signed(whole(), printed(contract)) == ["number_not_in_copy"]


def test_a_number_that_only_begins_alike_is_another_one(whole, signed, printed, organization):
    first, second = whole(), whole()
    longer = f"{first['contract_number']}7"
    organization.owner.execute(
        "update app.contracts set contract_number = %s, content = %s where id = %s",
        (longer, f"<p>{longer}</p>", second["id"]),
    )
    assert signed(first, printed(second)) == ["number_not_in_copy"]


@pytest.mark.parametrize(
    ("content", "filename", "warnings"),
    [(pdf_file(), "scan.pdf", ["number_not_checked"]), (image_file("PNG"), "a.png", []), (docx_file(), "a.docx", [])],
    ids=["a scan as PDF", "an image", "a Word document"],
)
def test_only_a_pdf_without_text_is_reported_as_unchecked(whole, signed, content, filename, warnings):
    assert signed(whole(), content, filename) == warnings


def test_a_better_copy_and_one_that_is_taken_away_leave_no_warning(whole, signed, printed, member, admin):
    contract = whole()
    for end in (
        lambda: signed(contract, printed(contract)),
        lambda: admin.delete(f"{path_of(contract)}/executed", status=204),
    ):
        assert signed(contract, pdf_file()) != []
        end()
        assert member.get(path_of(contract)).json["warnings"] == []
