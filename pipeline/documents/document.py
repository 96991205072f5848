"""What a document is, what may go wrong with one, and how one travels to the process that renders it."""

import io
import json
import warnings
from typing import NamedTuple

from babel.core import get_global
from PIL import Image

PDF, DOCX = "pdf", "docx"
# A Word document of what has changed; it is made when somebody asks for it, and not kept.
REDLINE = "redline"
KINDS = (PDF, DOCX)
DIRECTIONS = ("ltr", "rtl")
MARGINS = ("header_left", "header_center", "header_right", "footer_left", "footer_center", "footer_right")
# More than a hundred pages of text, in characters; what is beyond is no contract.
MAX_CONTENT = 4 << 20
# 2 MiB of PNG may stand for gigabytes of pixels.
MAX_PIXELS = 16_000_000
# The box that a logo is fitted into, its distance from the top edge, and where the text begins below, in millimetres.
LOGO_BOX = (60, 11)
LOGO_TOP, TOP_WITH_LOGO = 9, 33


class TooComplex(Exception):
    """A limit is exceeded: the message says which one, for a person; `code` is too_deep, too_large or not_printable."""

    def __init__(self, message: str = "", code: str = "not_printable") -> None:
        super().__init__(message)
        self.code = code


class Unavailable(Exception):
    """No renderer could be had or it died; trying again later may work."""


class TooSlow(Unavailable):
    """The document took too long by the clock: the machine is at fault, or the document is nearly too complex."""


class Document(NamedTuple):
    """A contract as it goes to paper.

    `title` and the six margin texts are plain text, the latter may hold `{{page}}` and `{{pages}}`; `language` is a
    BCP 47 tag or a locale's name; `content` is a resolved, sanitised HTML fragment; `logo` is a PNG or JPEG file;
    `direction` is how it is read, `ltr` or `rtl`; `author` is who issues it,
    `created` the day on which it was made (`YYYY-MM-DD`), or None; `earlier` is the content that a redline begins
    with.
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


class Logo(NamedTuple):
    """A logo that was looked at: its bytes, media type and size in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int

    def size(self) -> tuple[float, float]:
        """(width, height) on paper in millimetres: the logo fills its box, proportions kept."""
        scale = min(LOGO_BOX[0] / self.width, LOGO_BOX[1] / self.height)
        return self.width * scale, self.height * scale


def read_logo(data: bytes | None) -> Logo | None:
    """The Logo of a PNG or JPEG file, None of None; ValueError for anything else, an SVG for instance."""
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
    """A language as BCP 47 has it, with the region where it is most spoken: `de-CH` for `de_CH`, `en-US` for `en`.

    Word checks the spelling of a language only when it knows the region.
    """
    tag = language.replace("_", "-")
    likely = get_global("likely_subtags").get(language.replace("-", "_"), "")
    region = likely.rpartition("_")[2]
    return tag if not region or region in tag.split("-") else f"{tag}-{region}"


def check(document: Document) -> None:
    """Raises TooComplex when a Document is too large to be tried, ValueError when its logo is no image."""
    if max(len(document.content), len(document.earlier)) > MAX_CONTENT:
        raise TooComplex("The content is too long.")
    read_logo(document.logo)


def pack(kind: str, document: Document) -> bytes:
    """A kind and a Document as bytes: a line of JSON, and the logo's bytes."""
    return json.dumps([kind, document._replace(logo=None)]).encode() + b"\n" + (document.logo or b"")


def unpack(data: bytes) -> tuple[str, Document]:
    """The (kind, Document) of packed bytes."""
    line, _end, logo = data.partition(b"\n")
    kind, fields = json.loads(line)
    return kind, Document(*fields)._replace(logo=logo or None)
