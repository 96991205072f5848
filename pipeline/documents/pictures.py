"""Pictures in the text of a contract, as large in the PDF as in Word."""

from base64 import b64decode
from collections.abc import Mapping

from lxml import etree

from pipeline.documents.document import Document, Logo, read_logo
from pipeline.documents.styles import style_of, written
from pipeline.documents.subset import CONTRACT, PICTURE, parse

# Different pictures in a text.
MOST = 20
# Points for each pixel, as browsers count, and millimetres that a page keeps for margins and lines.
POINTS, KEPT = 0.75, 80
NAMED = etree.XPath(f".//img[@{PICTURE}]")


def named(content: str) -> list[int]:
    """The ids of the pictures that HTML of the subset names."""
    if PICTURE not in content:
        return []
    return sorted({int(id) for image in NAMED(parse(content, CONTRACT)) if (id := image.get(PICTURE)).isdecimal()})


def read(document: Document) -> dict[str, Logo]:
    """{id: picture}."""
    found = {str(id): read_logo(b64decode(data)) for id, data in document.pictures}
    return {id: picture for id, picture in found.items() if picture}


def tallest(document: Document) -> float:
    """The height in points that a picture may have."""
    return (document.paper[1] - KEPT) * 72 / 25.4


def width(image: etree._Element, picture: Logo, room: float, height: float) -> float:
    """The width of a picture in points, in a block of the width `room` and below a `height`."""
    given = style_of(image).get("width", "")
    if given.endswith("%"):
        wanted = float(given[:-1]) * room / 100
    else:
        wanted = float(given.removesuffix("pt")) if given else picture.width * POINTS
    return min(wanted, room, height * picture.width / picture.height)


def place(root: etree._Element, known: Mapping[str, Logo], prefix: str, height: float) -> None:
    """Points each picture to an address, and replaces those that are not known by their words."""
    for image in NAMED(root):
        id = image.attrib.pop(PICTURE)
        if id not in known:
            image.tag, image.text = "span", words(image)
            continue
        own = {name: value for name, value in style_of(image).items() if name == "width"}
        natural = f"{known[id].width * POINTS:.2f}pt"
        image.set("style", written({"width": natural, **own, "max-width": "100%", "max-height": f"{height:.0f}pt"}))
        image.set("src", f"{prefix}{id}")


def words(image: etree._Element) -> str:
    """What stands for a picture in a text."""
    return f"[{image.get('alt') or '…'}]"
