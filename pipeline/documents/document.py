"""The Document, its limits, and its form between processes."""

import io
import json
import warnings
from base64 import b64decode
from typing import NamedTuple

from babel.core import get_global
from PIL import Image

PDF, DOCX = "pdf", "docx"
# Word with tracked changes, never stored.
REDLINE = "redline"
# What signers read of an author's Word file, as HTML.
COPY = "copy"
# The pages after a contract, as a PDF of their own.
CLOSING = "closing"
KINDS = (PDF, DOCX)
DIRECTIONS = ("ltr", "rtl")
# {page size: millimetres of its short and long side}.
PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
ORIENTATIONS = ("portrait", "landscape")
# Millimetres of the margins at the left and right.
SIDE = 25
MARGINS = ("header_left", "header_center", "header_right", "footer_left", "footer_center", "footer_right")
# A blank to fill in by hand.
BLANK = "_" * 16
# More than a hundred pages.
MAX_CONTENT = 4 << 20
# A small PNG may hold gigabytes of pixels.
MAX_PIXELS = 16_000_000
# Millimetres: logo box, its distance from the top, start of the text below.
LOGO_BOX = (60, 11)
LOGO_TOP, TOP_WITH_LOGO = 9, 33


class TooComplex(Exception):
    """A limit is exceeded, with a message for users.

    `code` is too_deep, too_large or not_printable.
    """

    def __init__(self, message: str = "", code: str = "not_printable") -> None:
        super().__init__(message)
        self.code = code


class Unavailable(Exception):
    """No renderer; a retry may succeed."""


class TooSlow(Unavailable):
    """The wall-clock limit is exceeded."""


class Closing(NamedTuple):
    """The pages after the contract, with page numbers of their own; `footer` is a margin text."""

    content: str
    footer: str
    language: str
    direction: str


class Document(NamedTuple):
    """A contract to render.

    `content` and `earlier` (a redline's base) are sanitized HTML; margins may hold `{{page}}` and `{{pages}}`.
    `language` is a BCP 47 tag or locale, `logo` a PNG or JPEG, `created` a date `YYYY-MM-DD`.
    A signed copy has trusted HTML: `signatures` as (class of PLACES, HTML) and `closing`. It shows `images`, PNG files
    in Base64, as `pipeline:image-0` and so on. `watermark` is the text across each page of a draft.
    `files` are an author's Word files in Base64, which give the document its form; then margins, logo and paper
    have no effect.
    `pictures` are (id, PNG or JPEG file in Base64) of the images in `content` with data-picture.
    """

    title: str
    language: str
    content: str
    header_left: str = ""
    header_center: str = ""
    header_right: str = ""
    footer_left: str = ""
    footer_center: str = ""
    footer_right: str = ""
    logo: bytes | None = None
    direction: str = "ltr"
    author: str = ""
    created: str | None = None
    earlier: str = ""
    signatures: tuple[tuple[str, str], ...] = ()
    closing: Closing | None = None
    images: tuple[str, ...] = ()
    page_size: str = "A4"
    orientation: str = "portrait"
    watermark: str = ""
    files: tuple[str, ...] = ()
    pictures: tuple[tuple[int, str], ...] = ()

    @property
    def paper(self) -> tuple[float, float]:
        """(width, height) in millimetres."""
        short, long = PAPERS[self.page_size]
        return (long, short) if self.orientation == "landscape" else (short, long)

    @property
    def line(self) -> float:
        """The width of the text in millimetres."""
        return self.paper[0] - 2 * SIDE


class Logo(NamedTuple):
    """A checked logo; its size is in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int

    def size(self) -> tuple[float, float]:
        """(width, height) in millimetres within LOGO_BOX."""
        scale = min(LOGO_BOX[0] / self.width, LOGO_BOX[1] / self.height)
        return self.width * scale, self.height * scale


def read_logo(data: bytes | None) -> Logo | None:
    """The Logo of a PNG or JPEG; None without data, ValueError for other data."""
    if not data:
        return None
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            width, height, media_type = image.width, image.height, Image.MIME[image.format or ""]
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError("A logo must be a PNG or JPEG file.") from error
    if width * height > MAX_PIXELS:
        raise TooComplex("The logo has too many pixels.")
    return Logo(data, media_type, width, height)


def language_tag(language: str) -> str:
    """The BCP 47 tag with a likely region: `en-US` for `en`.

    Word checks spelling only with a region.
    """
    tag = language.replace("_", "-")
    likely = get_global("likely_subtags").get(language.replace("-", "_"), "")
    region = likely.rpartition("_")[2]
    return tag if not region or region in tag.split("-") else f"{tag}-{region}"


def check(document: Document) -> None:
    """Raises TooComplex for long content, ValueError for an invalid logo."""
    if max(len(document.content), len(document.earlier)) > MAX_CONTENT:
        raise TooComplex("The content is too long.")
    read_logo(document.logo)
    for image in (*document.images, *(data for _id, data in document.pictures)):
        read_logo(b64decode(image))


def pack(kind: str, document: Document) -> bytes:
    """A line of JSON, then the logo."""
    return json.dumps([kind, document._replace(logo=None)]).encode() + b"\n" + (document.logo or b"")


def unpack(data: bytes) -> tuple[str, Document]:
    """(kind, Document)."""
    line, _end, logo = data.partition(b"\n")
    kind, fields = json.loads(line)
    document = Document(*fields)
    closing = document.closing and Closing(*document.closing)
    return kind, document._replace(logo=logo or None, closing=closing)
