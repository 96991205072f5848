"""Signed copies: an upload is what its name says and nothing else, or it is refused.

A file that two programs would read as two different things, one that needs a password, one with macros, one that
unpacks to a mountain: none of these is a contract that somebody signed. The checks here read structure only, in
bounded time and memory. Active content of PDF and Word files is looked for by inspection.py.
"""

import mmap
import re
import struct
import zipfile
import zlib

from PIL import Image

from pipeline.contracts.inspection import obstacle
from pipeline.documents import MEDIA_TYPES
from pipeline.errors import Problem
from pipeline.files import safe_name
from pipeline.files.images import DAMAGED
from pipeline.validation import Violation

PDF, DOCX = MEDIA_TYPES["pdf"], MEDIA_TYPES["docx"]
PNG, JPEG = "image/png", "image/jpeg"
EXTENSIONS = {"pdf": PDF, "docx": DOCX, "png": PNG, "jpg": JPEG, "jpeg": JPEG}
TYPES = (PDF, DOCX, PNG, JPEG)
INSPECTED = {PDF: "pdf", DOCX: "docx"}
# A page of A3 at 600 dots per inch has 70 megapixels.
MAX_PIXELS = 89_000_000
MAX_PARTS = 5_000
MAX_DIRECTORY = 4 * 1024 * 1024
MAX_UNPACKED = 512 * 1024 * 1024
MAX_TYPES = 1024 * 1024
MAIN_TYPE = f"{DOCX}.main+xml".encode()
# What zipfile raises for broken archives.
BROKEN = (
    zipfile.BadZipFile,
    OSError,
    ValueError,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    struct.error,
    zlib.error,
)
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What ends a ZIP archive: signature, disks, entries, size and place of its directory, length of the comment.
ZIP_END = struct.Struct("<4s4H2LH")
ZIP_END_SIGN = b"PK\x05\x06"
# A PDF reader looks for the beginning of the document, and for its end, in this many bytes.
PDF_REACH = 1024
ENCRYPTED = 0x1


def check_signed_copy(file, filename):
    """(safe file name, media type) of an uploaded signed copy, a binary file object on disk.

    422 `unsupported_file` unless it is a PDF, DOCX, PNG or JPEG by its content and its extension.
    """
    name = safe_name(filename)
    kind = EXTENSIONS.get(name.rpartition(".")[2].lower())
    if kind is None or "." not in name:
        raise unsupported("The name must end in .pdf, .docx, .png, .jpg or .jpeg.")
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        {PDF: _check_pdf, DOCX: _check_docx, PNG: _check_png, JPEG: _check_jpeg}[kind](file, data)
    if kind in INSPECTED:
        _check_content(file, INSPECTED[kind])
    return name, kind


def unsupported(message):
    """The 422 for a file that cannot be a signed copy."""
    return Problem("unsupported_file", message, [Violation("file", "unsupported_file", message)])


def _check_pdf(file, data):
    if not re.match(rb"%PDF-[12]\.\d", data[:8]):
        raise unsupported("The content is not a PDF.")
    end = data[-PDF_REACH:].rstrip(b"\0\t\n\f\r ")
    start = re.search(rb"startxref\s{1,8}(\d{1,10})\s{1,8}%%EOF\Z", end)
    if not start or int(start[1]) >= len(data):
        raise unsupported("The PDF is cut off, or something else follows it.")
    place = int(start[1])
    if data[place : place + 4] == b"xref":
        place = data.find(b"trailer", place)
    elif not re.match(rb"\d{1,10}\s{1,8}\d{1,5}\s{1,8}obj", data[place : place + 40]):
        place = -1
    if place < 0:
        raise unsupported("The PDF's table of contents cannot be read.")
    _check_no_archive(data)


def _check_content(file, kind):
    found = obstacle(kind, file)
    if found is None:
        raise unsupported("The content is damaged, or takes too long to read.")
    if found:
        raise unsupported(f"The content has {found}. Print it to a new PDF, which holds only what is seen.")


def _check_png(file, data):
    place = 8
    if data[:place] != b"\x89PNG\r\n\x1a\n":
        raise unsupported("The content is not a PNG image.")
    sign = b""
    while place + 12 <= len(data) and sign != b"IEND":
        length, sign = struct.unpack_from(">L4s", data, place)
        place += length + 12
    if sign != b"IEND" or place != len(data):
        raise unsupported("The PNG image is cut off, or something else follows it.")
    _check_image(file, data, "PNG")


def _check_jpeg(file, data):
    if data[:3] != b"\xff\xd8\xff":
        raise unsupported("The content is not a JPEG image.")
    if b"\xff\xd9" not in data[-PDF_REACH:]:
        raise unsupported("The JPEG image is cut off, or something else follows it.")
    _check_image(file, data, "JPEG")


def _check_image(file, data, kind):
    if b"%PDF-" in data[:PDF_REACH]:
        raise unsupported("The image is a PDF, too.")
    _check_no_archive(data)
    file.seek(0)
    try:
        with Image.open(file, formats=(kind,)) as image:
            pixels = image.width * image.height
            image.verify()
    except DAMAGED as error:
        raise unsupported("The image is damaged or too large.") from error
    if pixels > MAX_PIXELS:
        raise unsupported(f"The image has more than {MAX_PIXELS // 1_000_000} megapixels.")


def _zip_end(data):
    """Where the end record of a ZIP archive stands that reaches exactly to the end of the file, or None."""
    # No further back than the longest comment: what lies before it ends no archive, however often it says so.
    first = max(0, len(data) - ZIP_END.size - 0xFFFF)
    place = data.rfind(ZIP_END_SIGN, first)
    while place >= 0:
        if place + ZIP_END.size <= len(data):
            comment = ZIP_END.unpack_from(data, place)[-1]
            if place + ZIP_END.size + comment == len(data):
                return place
        place = data.rfind(ZIP_END_SIGN, first, place)
    return None


def _check_no_archive(data):
    if _zip_end(data) is not None:
        raise unsupported("The file is a ZIP archive, too.")


def _check_docx(file, data):
    if data[:4] != b"PK\x03\x04":
        raise unsupported("The content is not a Word document (DOCX), or it is encrypted.")
    place = _zip_end(data)
    if place is None:
        raise unsupported("The Word document is cut off, or something else follows it.")
    _sign, _disk, _first, _here, parts, size, start, comment = ZIP_END.unpack_from(data, place)
    if start + size != place or comment or size > MAX_DIRECTORY or parts > MAX_PARTS:
        raise unsupported("The Word document is not packed as Word does it.")
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            _check_parts(archive)
    except BROKEN as error:
        raise unsupported("The Word document is damaged.") from error


def _check_parts(archive):
    parts = archive.infolist()
    names = {part.filename.lower() for part in parts}
    if len(names) != len(parts) or any(part.flag_bits & ENCRYPTED for part in parts):
        raise unsupported("The Word document is encrypted, or has a part twice.")
    if min(part.header_offset for part in parts) or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise unsupported("The Word document is not packed as Word does it, or unpacks to too much.")
    if any(part.compress_type not in PACKED for part in parts):
        raise unsupported("The Word document is not packed as Word does it.")
    if any(name.endswith("vbaproject.bin") for name in names):
        raise unsupported("The Word document contains macros.")
    if "word/document.xml" not in names or "[content_types].xml" not in names:
        raise unsupported("The content is not a Word document (DOCX).")
    with archive.open("[Content_Types].xml") as part:
        types = part.read(MAX_TYPES)
    if MAIN_TYPE not in types or b"macroEnabled" in types:
        raise unsupported("The content is not a Word document (DOCX) without macros.")
