"""Decodes an uploaded image and encodes its pixels anew. Runs in a process of its own, without the service."""

import io
from typing import IO

from PIL import Image, ImageOps

LARGE, BLANK = b"large", b"blank"
# Pixels together: a small file may hold gigabytes of them. A side after the encoding: 800 dpi at 60 mm.
MAX_PIXELS, MAX_SIDE = 16_000_000, 2_000
# On a scale to 255.
DARK = 127
# Pixels of the longer side of a drawing's ink; the page's pen is 6 wide on a canvas of 1,200.
LEAST_INK = 30


def inspect(file: IO[bytes], asked: str) -> bytes:
    """A PNG or JPEG with nothing but upright pixels, LARGE, or for the asked "drawing" BLANK; raises if damaged.

    A drawing is cropped to its ink; with less than LEAST_INK it is BLANK.
    """
    with Image.open(file, formats=("PNG", "JPEG")) as image:
        if image.width * image.height > MAX_PIXELS:
            return LARGE
        # MPO counts as JPEG.
        kind = "PNG" if image.format == "PNG" else "JPEG"
        upright = ImageOps.exif_transpose(image)
        if upright.mode.startswith("I"):
            # Of 16 bits.
            upright = upright.point(lambda value: value / 256)
        upright = upright.convert("RGB" if kind == "JPEG" else "RGBA")
    if asked == "drawing":
        box = _ink(upright)
        if box is None or max(box[2] - box[0], box[3] - box[1]) < LEAST_INK:
            return BLANK
        upright = upright.crop(box)
    upright.thumbnail((MAX_SIDE, MAX_SIDE))
    upright.info.clear()
    made = io.BytesIO()
    # The smallest PNG of noise takes forty times as long.
    upright.save(made, kind, **({"quality": 90} if kind == "JPEG" else {"compress_level": 3}))
    return made.getvalue()


def _ink(image: Image.Image) -> tuple[int, int, int, int] | None:
    """The box of what is dark on white paper, if anything."""
    paper = Image.new("RGBA", image.size, "white")
    shades = Image.alpha_composite(paper, image.convert("RGBA")).convert("L")
    return shades.point(lambda shade: 255 * (shade <= DARK)).getbbox()
