"""Re-encodes uploaded images to keep only pixels, in a process with limits."""

import io
import struct
import tempfile
import zipfile
import zlib
from typing import IO, NamedTuple

from PIL import Image

from pipeline.files.inspection import inspected_bytes
from pipeline.files.pixels import BLANK, LARGE, MAX_PIXELS
from pipeline.validation import Violation
from pipeline.validation.errors import Problem

# Errors of zipfile and Pillow, including warnings.
DAMAGED = (
    zipfile.BadZipFile,
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    OverflowError,
    RuntimeError,
    MemoryError,
    struct.error,
    zlib.error,
    Warning,
    Image.DecompressionBombError,
)
# The pixels of a drawn signature, by width and height.
WIDEST, HIGHEST = 2_000, 1_000
PNG_HEAD = struct.Struct(">8s4x4s2L")
PNG_SIGN = b"\x89PNG\r\n\x1a\n"


class MadeImage(NamedTuple):
    """An image, its media type and extension."""

    file: IO[bytes]
    content_type: str
    extension: str


def reencoded(file: IO[bytes], field: str = "logo") -> MadeImage:
    """A PNG or JPEG of at most 16 megapixels re-encoded, upright, at most 2,000 pixels a side.

    Raises 422 `unsupported_file`, 503 if busy.
    """
    made = inspected_bytes("pixels", "logo", file)
    if made is None:
        raise unsupported("Must be a PNG or JPEG image.", field)
    if made == LARGE:
        raise unsupported(f"May have at most {MAX_PIXELS // 1_000_000} megapixels.", field)
    is_png = made.startswith(PNG_SIGN)
    return MadeImage(io.BytesIO(made), "image/png" if is_png else "image/jpeg", "png" if is_png else "jpg")


def redrawn(png: bytes) -> bytes | None:
    """The pixels of an image `is_small_png` as PNG, b"" without ink, None if damaged; 503 if busy."""
    with tempfile.TemporaryFile() as file:
        file.write(png)
        made = inspected_bytes("pixels", "drawing", file)
    return b"" if made == BLANK else made


def is_small_png(data: bytes) -> bool:
    """Whether a PNG's head, before any pixel, states a size that a drawing may have."""
    if len(data) < PNG_HEAD.size:
        return False
    sign, part, width, height = PNG_HEAD.unpack_from(data)
    return sign == PNG_SIGN and part == b"IHDR" and 0 < width <= WIDEST and 0 < height <= HIGHEST


def unsupported(message: str, field: str = "file") -> Problem:
    """The 422 of an invalid upload."""
    return Problem("unsupported_file", message, [Violation(field, "unsupported_file", message)])
