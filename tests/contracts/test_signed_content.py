"""The limits of a signed copy's inspection; tests/files has all kinds of active content."""

import io
import tempfile
import time
import zlib

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.files import inspection
from pipeline.files.active_content.office import inspect as inspect_office
from pipeline.files.content import MEDIA_TYPES, check_content
from pipeline.files.images import reencoded
from pipeline.validation.errors import Problem
from tests.contracts.support import docx_file, image_file, pdf_file

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def refusal(content, filename):
    """The Problem that a file is refused for, or None."""
    with tempfile.SpooledTemporaryFile() as file:
        file.write(content)
        try:
            check_content(file, filename)
        except Problem as problem:
            return problem


def test_a_pdf_with_a_password_is_refused():
    pdf, locked = pikepdf.new(), io.BytesIO()
    pdf.save(locked, encryption=pikepdf.Encryption(owner="o", user="u", R=6))
    assert "password" in refusal(locked.getvalue(), "a.pdf").detail


def bomb():
    """A PDF whose packed objects unpack to a gigabyte."""
    packer, blanks = zlib.compressobj(1), b" " * 1024 * 1024
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
    assert "damaged" in refusal(content, "a.pdf").detail
    assert time.monotonic() - begun < inspection.PATIENCE


def test_a_pdf_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(inspection, "CPU_SECONDS", 0)
    assert "too long" in refusal(pdf_file(), "a.pdf").detail


def test_without_a_process_to_be_had_it_is_tried_later(monkeypatch):
    monkeypatch.setattr(inspection.sys, "executable", "/nowhere/python")
    assert "at the moment" in refusal(pdf_file(), "a.pdf").detail


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
    assert inspect_office(io.BytesIO(BAD_WORDS[kind]), "docx")


@pytest.mark.parametrize("kind", GOOD_WORDS)
def test_any_other_word_document_is_taken(kind):
    assert not inspect_office(io.BytesIO(GOOD_WORDS[kind]), "docx")


@st.composite
def damaged(draw):
    """A good file with some bytes changed, cut out or put in."""
    content = bytearray(draw(st.sampled_from([pdf_file(), docx_file(), image_file("PNG"), image_file("JPEG")])))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        content[place : place + draw(st.integers(0, 4))] = draw(st.binary(max_size=4))
    return bytes(content) or b"\0"


@settings(max_examples=300)
@given(content=damaged() | st.binary(min_size=1, max_size=200), extension=st.sampled_from(sorted(MEDIA_TYPES)))
def test_a_damaged_file_is_taken_or_refused(content, extension):
    refused = refusal(content, f"a.{extension}")
    assert refused is None or refused.code == "unsupported_file"


@settings(max_examples=300)
@given(content=damaged())
def test_a_damaged_logo_is_taken_or_refused(content):
    try:
        made = reencoded(io.BytesIO(content)).content_type
    except Problem as refused:
        made = refused.code
    assert made in ("image/png", "image/jpeg", "unsupported_file")
