"""The limits of a signed copy's inspection, and any bytes as one; tests/files has all kinds of active content."""

import io
import tempfile
import time
import zlib

import pikepdf
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.files import inspection
from pipeline.files.content import MEDIA_TYPES, check_content
from pipeline.files.images import reencoded
from pipeline.validation.errors import Problem
from tests.contracts.support import docx_file, image_file, pdf_file

GOOD = [pdf_file(), docx_file(), image_file("PNG"), image_file("JPEG")]


def verdict(content, filename, kinds=MEDIA_TYPES):
    """What a file is taken as, or the Problem that it is refused for."""
    with tempfile.SpooledTemporaryFile() as file:
        file.write(content)
        try:
            return check_content(file, filename, kinds)
        except Problem as problem:
            return problem


def test_a_pdf_with_a_password_is_refused():
    pdf, locked = pikepdf.new(), io.BytesIO()
    pdf.save(locked, encryption=pikepdf.Encryption(owner="o", user="u", R=6))
    assert "password" in verdict(locked.getvalue(), "a.pdf").detail


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
    assert "damaged" in verdict(content, "a.pdf").detail
    assert time.monotonic() - begun < inspection.PATIENCE


def test_a_pdf_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(inspection, "CPU_SECONDS", 0)
    assert "too long" in verdict(pdf_file(), "a.pdf").detail


def test_without_a_process_to_be_had_it_is_tried_later(monkeypatch):
    monkeypatch.setattr(inspection.sys, "executable", "/nowhere/python")
    assert "at the moment" in verdict(pdf_file(), "a.pdf").detail


@st.composite
def damaged(draw):
    """A good file with some bytes changed, cut out or put in."""
    content = bytearray(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        content[place : place + draw(st.integers(0, 4))] = draw(st.binary(max_size=4))
    return bytes(content) or b"\0"


@settings(max_examples=300)
@given(content=damaged() | st.binary(min_size=1, max_size=200), extension=st.sampled_from(sorted(MEDIA_TYPES)))
def test_a_damaged_file_is_taken_or_refused(content, extension):
    found = verdict(content, f"a.{extension}")
    assert found == (f"a.{extension}", MEDIA_TYPES[extension]) or found.code == "unsupported_file"


@settings(max_examples=50)
@given(content=damaged())
def test_a_damaged_logo_is_taken_or_refused(content):
    with tempfile.TemporaryFile() as file:
        file.write(content)
        try:
            made = reencoded(file).content_type
        except Problem as refused:
            made = refused.code
    assert made in ("image/png", "image/jpeg", "unsupported_file")
