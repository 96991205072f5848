"""Active content of a signed copy is found however a file is packed; tests/files tries all that it can be."""

import io
import os
import tempfile
import time
import zlib

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from pipeline.files import inspection
from pipeline.files.content import check_content
from pipeline.validation.errors import Problem
from tests.contracts.support import docx_file, pdf_file, upload

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def refusal(content, filename):
    """What a file is refused for, or None."""
    with tempfile.SpooledTemporaryFile() as file:
        file.write(content)
        try:
            check_content(file, filename)
        except Problem as problem:
            return problem.detail


def made(change, **options):
    """The bytes of a PDF of one page after change(pdf)."""
    pdf, file = pikepdf.new(), io.BytesIO()
    pdf.add_blank_page()
    change(pdf)
    pdf.save(file, **options)
    return file.getvalue()


def action(kind, **more):
    return Dictionary(S=Name(f"/{kind}"), **more)


def link(pdf, item):
    """Put a link with an action on the page."""
    note = Dictionary(Type=Name("/Annot"), Subtype=Name("/Link"), Rect=Array([0, 0, 9, 9]), A=item)
    pdf.pages[0].Annots = Array([pdf.make_indirect(note)])


def put(**items):
    """A change that puts items into the root of a PDF."""

    def change(pdf):
        for name, item in items.items():
            pdf.Root[f"/{name}"] = item

    return change


BAD_PDFS = {
    "JavaScript": put(OpenAction=action("JavaScript", JS=String("app.alert(1)"))),
    "a program behind a link": lambda pdf: link(pdf, action("Launch", F=String("cmd.exe"))),
    "data read": lambda pdf: link(pdf, action("ImportData", F=String("a.fdf"))),
    "an action of a page": lambda pdf: pdf.pages[0].obj.update({"/AA": Dictionary(O=action("URI", URI=String("x")))}),
}
PACKED = {
    "plain": {"object_stream_mode": pikepdf.ObjectStreamMode.disable},
    "packed": {"object_stream_mode": pikepdf.ObjectStreamMode.generate},
    "encrypted": {
        "encryption": pikepdf.Encryption(owner="o", user="", R=6),
        "object_stream_mode": pikepdf.ObjectStreamMode.generate,
    },
}


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("kind", BAD_PDFS)
def test_a_pdf_that_acts_is_refused_however_it_is_packed(kind, packing):
    assert refusal(made(BAD_PDFS[kind], **PACKED[packing]), "a.pdf").startswith("The content has ")


def updated(content, catalog):
    """A PDF with a revision behind it, as a signature appends it: another catalog."""
    new = len(content)
    content += b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R" + catalog + b" >>\nendobj\n"
    former = pdf_file().index(b"xref\n")
    table = b"xref\n1 1\n%010d 00000 n \ntrailer\n<< /Size 3 /Root 1 0 R /Prev %d >>\n" % (new, former)
    return content + table + b"startxref\n%d\n%%%%EOF\n" % len(content)


def test_a_revision_appended_by_a_signature_is_taken_and_one_with_an_action_is_not():
    assert refusal(updated(pdf_file(), b" /AcroForm << /SigFlags 3 >>"), "a.pdf") is None
    bad = b" /OpenAction << /S /L#61unch /F (cmd) >>"
    assert "opened" in refusal(updated(pdf_file(), bad), "a.pdf")


def test_an_action_that_no_table_names_is_found():
    assert "program" in refusal(pdf_file(b"\n9 0 obj\n<< /S /Launch >>\nendobj"), "a.pdf")


def test_a_pdf_with_a_password_is_refused():
    locked = made(lambda pdf: None, encryption=pikepdf.Encryption(owner="o", user="u", R=6))
    assert "password" in refusal(locked, "a.pdf")


def bomb():
    """A PDF whose packed objects unpack to a gigabyte."""
    packer, blanks = zlib.compressobj(9), b" " * 1024 * 1024
    content = b"".join((*(packer.compress(blanks) for _ in range(1024)), packer.flush()))
    head = b"%PDF-1.7\n"
    stream = b"3 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n" % len(content)
    body = head + stream + content + b"\nendstream\nendobj\n"
    entries = b"".join(
        kind.to_bytes(1) + a.to_bytes(4) + b.to_bytes(1)
        for kind, a, b in ((0, 0, 255), (2, 3, 0), (0, 0, 0), (1, len(head), 0), (1, len(body), 0))
    )
    table = b"4 0 obj\n<< /Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R /Length %d >>\nstream\n" % len(entries)
    return body + table + entries + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(body)


def test_a_pdf_that_unpacks_to_a_mountain_is_refused_in_time():
    content, begun = bomb(), time.monotonic()
    assert "damaged" in refusal(content, "a.pdf")
    assert time.monotonic() - begun < inspection.PATIENCE


def test_a_pdf_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(inspection, "CPU_SECONDS", 0)
    assert "too long" in refusal(pdf_file(), "a.pdf")


def test_who_looks_into_a_copy_leaves_the_processors_to_requests(tmp_path):
    module = tmp_path / "active_content" / "pdf.py"
    module.parent.mkdir()
    module.write_text("import os\ndef inspect(_file, _kind): return str(os.nice(0))\n")
    with module.open("rb") as file:
        assert inspection.inspected("active_content.pdf", "pdf", file, tmp_path) == str(
            os.nice(0) + inspection.NICENESS
        )


def test_without_a_process_to_be_had_it_is_tried_later(monkeypatch):
    monkeypatch.setattr(inspection.sys, "executable", "/nowhere/python")
    assert "at the moment" in refusal(pdf_file(), "a.pdf")


def fields(*instructions, encoding="utf-8", name="word/header1.xml"):
    """A Word document with a header; each instruction is the text of one run, `{` and `}` begin and end a field."""
    marks = {"{": "begin", "|": "separate", "}": "end"}
    runs = "".join(
        f'<w:r><w:fldChar w:fldCharType="{marks[text]}"/></w:r>'
        if text in marks
        else f"<w:r><w:instrText>{text}</w:instrText></w:r>"
        for text in instructions
    )
    xml = f'<?xml version="1.0" encoding="{encoding}"?><w:hdr {W}><w:p>{runs}</w:p></w:hdr>'
    return docx_file(parts={name: xml.encode(encoding)})


BAD_WORDS = {
    "DDE in pieces": fields("{", " D", "DE", "AU", "TO x", "}"),
    "DDE within a field": fields("{", "IF 1 ", "{", "dde x", "}", "}"),
    "DDE made by a field": fields("{", "{", "QUOTE 68 68 69", "|", "}", " x", "}"),
    "DDE half made by a field": fields("{", "D", "{", "QUOTE 68 69", "}", "}"),
    "DDE in UTF-16": fields("{", "DDE x", "}", encoding="utf-16"),
    "DDE in a part of another name": fields("{", "DDE x", "}", name="word/header1.foo"),
    "an included file": fields("{", "INCLUDETEXT \\\\host\\a", "}"),
    "a simple field": docx_file(parts={"word/a.xml": f'<w:p {W}><w:fldSimple w:instr="DDE x"/></w:p>'.encode()}),
    "too much text": docx_file(parts={"word/a.xml": b"<a>" + b" " * 25 * 1024 * 1024 + b"</a>"}),
}
GOOD_WORDS = {
    "a field within a field": fields("{", " IF ", "{", "PAGE", "|", "}", " = 1 a b", "|", "}"),
    "a text about DDE": docx_file(parts={"word/a.xml": f"<w:p {W}><w:t>DDEAUTO</w:t></w:p>".encode()}),
}


@pytest.mark.parametrize("kind", BAD_WORDS)
def test_a_word_document_that_acts_is_refused(kind):
    assert refusal(BAD_WORDS[kind], "a.docx").startswith("The content has ")


@pytest.mark.parametrize("kind", GOOD_WORDS)
def test_any_other_word_document_is_taken(kind):
    assert refusal(GOOD_WORDS[kind], "a.docx") is None


def test_the_answer_says_what_stands_in_the_way(member, contract):
    content = made(BAD_PDFS["a program behind a link"])
    answer = upload(member, f"/api/contracts/{contract['id']}/executed", content, "signed.pdf", status=422)
    assert answer.json["code"] == "unsupported_file"
    assert answer.json["detail"] == (
        "The content has an action that starts a program. Print it to a new PDF, which holds only what is seen."
    )
