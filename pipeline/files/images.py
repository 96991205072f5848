"""Re-encodes uploaded images to keep only pixels."""

import io
import struct
import zipfile
import zlib
from typing import IO, NamedTuple

from PIL import Image, ImageFile, ImageOps

from pipeline.validation import Violation
from pipeline.validation.errors import Problem

# A small file may hold gigabytes of pixels.
MAX_PIXELS = 16_000_000
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
# 800 dpi at 60 mm.
MAX_SIDE = 2_000
# Of 255.
DARK = 127


class MadeImage(NamedTuple):
    """An image, its media type and extension."""

    file: IO[bytes]
    content_type: str
    extension: str


def reencoded(file: IO[bytes]) -> MadeImage:
    """A PNG or JPEG re-encoded, upright, at most 2,000 pixels a side.

    Raises 422 `unsupported_file`.
    """
    # WeasyPrint makes Pillow accept truncated images.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(file, formats=("PNG", "JPEG")) as image:
            if image.width * image.height > MAX_PIXELS:
                raise unsupported(f"May have at most {MAX_PIXELS // 1_000_000} megapixels.", "logo")
            # MPO counts as JPEG.
            kind = "PNG" if image.format == "PNG" else "JPEG"
            upright = ImageOps.exif_transpose(image)
            if upright.mode.startswith("I"):
                # Of 16 bits.
                upright = upright.point(lambda value: value / 256)
            upright = upright.convert("RGB" if kind == "JPEG" else "RGBA")
    except DAMAGED as error:
        raise unsupported("Must be a PNG or JPEG image.", "logo") from error
    upright.thumbnail((MAX_SIDE, MAX_SIDE))
    upright.info.clear()
    made = io.BytesIO()
    upright.save(made, kind, **({"quality": 90} if kind == "JPEG" else {"optimize": True}))
    made.seek(0)
    return MadeImage(made, Image.MIME[kind], "jpg" if kind == "JPEG" else "png")


def has_ink(png: bytes) -> bool:
    """Whether a PNG of `reencoded` has anything dark on white paper."""
    with Image.open(io.BytesIO(png)) as image:
        paper = Image.new("RGBA", image.size, "white")
        shades = Image.alpha_composite(paper, image).convert("L").histogram()
    return any(shades[: DARK + 1])


def unsupported(message: str, field: str = "file") -> Problem:
    """The 422 of an invalid upload."""
    return Problem("unsupported_file", message, [Violation(field, "unsupported_file", message)])
