"""Checks an upload's structure against its extension, in bounded time and memory.

inspection.py finds active content.
"""

import codecs
import mmap
import re
import struct
import zipfile
from collections.abc import Mapping
from typing import IO

from PIL import Image

from pipeline.files import safe_name
from pipeline.files.active_content.office import MAIN
from pipeline.files.images import DAMAGED, unsupported
from pipeline.files.inspection import obstacle

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PNG, JPEG = "image/png", "image/jpeg"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV, PLAIN = "text/csv", "text/plain"
MEDIA_TYPES = {"pdf": PDF, "docx": DOCX, "png": PNG, "jpg": JPEG, "jpeg": JPEG}
# Answers may also have these types.
MORE_MEDIA_TYPES = {**MEDIA_TYPES, "xlsx": XLSX, "csv": CSV, "txt": PLAIN}
TYPES = (PDF, DOCX, PNG, JPEG)
INSPECTED = {PDF: "pdf", DOCX: "docx", XLSX: "xlsx", CSV: "csv"}
# (name with article, name, main part).
OFFICE = {
    DOCX: ("a Word document (DOCX)", "Word document", MAIN["docx"][0]),
    XLSX: ("an Excel workbook (XLSX)", "Excel workbook", MAIN["xlsx"][0]),
}
PRINT = "Print it to a new PDF, which holds only what is seen."
TAKE_OUT = "Take it out, and upload the file again."
ADVICE = {PDF: PRINT, DOCX: PRINT, XLSX: TAKE_OUT, CSV: "Remove the formulas."}
# A3 at 600 dpi has 70 megapixels.
MAX_PIXELS = 89_000_000
MAX_PARTS = 5_000
# Pillow reads each part of an image in Python; 25 MiB of empty ones would take a process a quarter of a minute.
MAX_IMAGE_PARTS = 20_000
MAX_DIRECTORY = 4 * 1024 * 1024
MAX_UNPACKED = 512 * 1024 * 1024
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Signature, disks, entries, directory's size and offset, comment length.
ZIP_END = struct.Struct("<4s4H2LH")
ZIP_END_SIGN = b"PK\x05\x06"
# Signs of a JPEG without a length: fill bytes, restarts, start and end.
JPEG_BARE = {0x00, 0x01, 0xFF, *range(0xD0, 0xDA)}
# Readers search this many bytes for start and end.
PDF_REACH = 1024
ENCRYPTED = 0x1
CHUNK = 256 * 1024
CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1f]")

# The message of active content begins so.
HOLDS = "The content has "


def check_content(
    file: IO[bytes], filename: str, accepted: Mapping[str, str] = MEDIA_TYPES, advice: str = ""
) -> tuple[str, str]:
    """(safe filename, media type) of an upload; 422 unsupported_file unless `accepted` ({extension: media type}).

    `advice` against active content replaces the usual one.
    """
    name = safe_name(filename)
    kind = accepted.get(name.rpartition(".")[2].lower())
    if kind is None or "." not in name:
        *others, last = (f".{extension}" for extension in accepted)
        raise unsupported(f"The name must end in {' or '.join(filter(None, (', '.join(others), last)))}.")
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if kind in OFFICE:
            _check_office(file, data, *OFFICE[kind])
        else:
            check = {PDF: _check_pdf, PNG: _check_png, JPEG: _check_jpeg, CSV: _check_text, PLAIN: _check_text}[kind]
            check(file, data)
            if _zip_end(data) is not None:
                raise unsupported("The file is a ZIP archive, too.")
    found = obstacle(INSPECTED[kind], file) if kind in INSPECTED else ""
    if found is None:
        raise unsupported("The content is damaged, or takes too long to read.")
    if found:
        raise unsupported(f"{HOLDS}{found}. {advice or ADVICE[kind]}")
    return name, kind


def _check_pdf(file: IO[bytes], data: mmap.mmap) -> None:
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


def _check_png(file: IO[bytes], data: mmap.mmap) -> None:
    place = 8
    if data[:place] != b"\x89PNG\r\n\x1a\n":
        raise unsupported("The content is not a PNG image.")
    sign, parts = b"", 0
    while place + 12 <= len(data) and sign != b"IEND":
        length, sign = struct.unpack_from(">L4s", data, place)
        place += length + 12
        parts = _one_more(parts)
    if sign != b"IEND" or place != len(data):
        raise unsupported("The PNG image is cut off, or something else follows it.")
    _check_image(file, data, "PNG")


def _check_jpeg(file: IO[bytes], data: mmap.mmap) -> None:
    if data[:3] != b"\xff\xd8\xff":
        raise unsupported("The content is not a JPEG image.")
    if b"\xff\xd9" not in data[-PDF_REACH:]:
        raise unsupported("The JPEG image is cut off, or something else follows it.")
    place, parts = 2, 0
    # Up to the first pixels, as Pillow reads.
    while place + 4 <= len(data) and data[place : place + 2] != b"\xff\xda":
        has_length = data[place] == 0xFF and data[place + 1] not in JPEG_BARE
        place += 2 + int.from_bytes(data[place + 2 : place + 4]) if has_length else 1
        parts = _one_more(parts)
    _check_image(file, data, "JPEG")


def _one_more(parts: int) -> int:
    """The number with the next part of an image; raises 422 beyond the limit."""
    if parts >= MAX_IMAGE_PARTS:
        raise unsupported("The image has too many parts.")
    return parts + 1


def _check_image(file: IO[bytes], data: mmap.mmap, kind: str) -> None:
    if b"%PDF-" in data[:PDF_REACH]:
        raise unsupported("The image is a PDF, too.")
    file.seek(0)
    try:
        with Image.open(file, formats=(kind,)) as image:
            pixels = image.width * image.height
            image.verify()
    except DAMAGED as error:
        raise unsupported("The image is damaged or too large.") from error
    if pixels > MAX_PIXELS:
        raise unsupported(f"The image has more than {MAX_PIXELS // 1_000_000} megapixels.")


def _zip_end(data: mmap.mmap) -> int | None:
    """The offset of an end record that reaches the file's end, or None."""
    # The longest comment limits the search.
    first = max(0, len(data) - ZIP_END.size - 0xFFFF)
    place = data.rfind(ZIP_END_SIGN, first)
    while place >= 0:
        if place + ZIP_END.size <= len(data):
            comment = ZIP_END.unpack_from(data, place)[-1]
            if place + ZIP_END.size + comment == len(data):
                return place
        place = data.rfind(ZIP_END_SIGN, first, place)
    return None


def _check_text(_file: IO[bytes], data: mmap.mmap) -> None:
    """Requires a text in UTF-16 with a byte order mark, or in an encoding that keeps ASCII, such as UTF-8 or cp1252."""
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        _check_utf_16(data)
    elif CONTROL_BYTES.search(data):
        raise unsupported("The content is not a text.")
    if b"%PDF-" in data[:PDF_REACH]:
        raise unsupported("The text is a PDF, too.")


def _check_utf_16(data: mmap.mmap) -> None:
    decoder = codecs.getincrementaldecoder("utf-16")()
    try:
        for start in range(0, len(data), CHUNK):
            last = start + CHUNK >= len(data)
            if CONTROL.search(decoder.decode(data[start : start + CHUNK], last)):
                raise unsupported("The content is not a text.")
    except ValueError as error:
        raise unsupported("The content is not a text in UTF-16.") from error


def _check_office(file: IO[bytes], data: mmap.mmap, one: str, called: str, main: re.Pattern[str]) -> None:
    if data[:4] != b"PK\x03\x04":
        raise unsupported(f"The content is not {one}, or it is encrypted.")
    place = _zip_end(data)
    if place is None:
        raise unsupported(f"The {called} is cut off, or something else follows it.")
    _sign, _disk, _first, _here, parts, size, start, comment = ZIP_END.unpack_from(data, place)
    if start + size != place or comment or size > MAX_DIRECTORY or parts > MAX_PARTS:
        raise unsupported(f"The {called} is not packed as Office does it.")
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            _check_parts(archive, one, called, main)
    except DAMAGED as error:
        raise unsupported(f"The {called} is damaged.") from error


def _check_parts(archive: zipfile.ZipFile, one: str, called: str, main: re.Pattern[str]) -> None:
    parts = archive.infolist()
    names = {part.filename.lower() for part in parts}
    if len(names) != len(parts) or any(part.flag_bits & ENCRYPTED for part in parts):
        raise unsupported(f"The {called} is encrypted, or has a part twice.")
    if min(part.header_offset for part in parts) or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise unsupported(f"The {called} is not packed as Office does it, or unpacks to too much.")
    if any(part.compress_type not in PACKED for part in parts):
        raise unsupported(f"The {called} is not packed as Office does it.")
    if any(name.endswith("vbaproject.bin") for name in names):
        raise unsupported(f"The {called} contains macros.")
    if not any(main.fullmatch(f"/{name}") for name in names) or "[content_types].xml" not in names:
        raise unsupported(f"The content is not {one}.")
