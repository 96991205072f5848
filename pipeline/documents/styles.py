"""Parses style properties into one form: points or percent, and `break-…`."""

import re
from collections.abc import Callable

from lxml import etree

from pipeline.documents.document import TooComplex

# Attributes of older editors.
PRESENTATIONAL = {"align": "text-align", "valign": "vertical-align", "width": "width"}
_SIZED = ("td", "th", "col", "table")
MAX_LENGTH = 5000
# A4 is 595 points wide.
MAX_POINTS, MAX_PERCENT = 2000.0, 100.0
_POINTS = {"": 0.75, "pt": 1.0, "px": 0.75, "pc": 12.0, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0}
_POINTS |= {"em": 10.5, "rem": 10.5}
_LENGTH = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,20})?)([a-z]*|%)")
_ALIGN = {"left": "left", "start": "left", "right": "right", "end": "right", "center": "center", "justify": "justify"}
_VERTICAL = {name: name for name in ("top", "middle", "bottom", "baseline", "sub", "super")}
_PAGE = dict.fromkeys(["page", "always", "left", "right", "recto", "verso"], "page")
_BREAKS = {**_PAGE, **dict.fromkeys(["avoid", "avoid-page"], "avoid")}
_BOLD = dict.fromkeys(["bold", "bolder", "600", "700", "800", "900"], "bold")
_WEIGHTS = {**_BOLD, **dict.fromkeys(["normal", "lighter", "100", "200", "300", "400", "500"], "normal")}
_SLANTS = {"italic": "italic", "oblique": "italic", "normal": "normal"}


def _decoration(value: str) -> str | None:
    # Browsers add the line's style and colour.
    lines = [line for line in ("underline", "line-through") if line in value.split()]
    return " ".join(lines) or ("none" if value == "none" else None)


def _width(value: str) -> str | None:
    match = _LENGTH.fullmatch(value)
    if not match or (match[2] != "%" and match[2] not in _POINTS):
        return None
    number = float(match[1]) * _POINTS.get(match[2], 1)
    if number > (MAX_PERCENT if match[2] == "%" else MAX_POINTS):
        raise TooComplex(f"A width of {value} is too large.")
    return f"{number:g}{'%' if match[2] == '%' else 'pt'}" if number >= 0.01 else None


# {property: (stored name, parser)}; the parser returns None for a meaningless value.
_READ: dict[str, tuple[str, Callable[[str], str | None]]] = {
    "text-align": ("text-align", _ALIGN.get),
    "vertical-align": ("vertical-align", _VERTICAL.get),
    "width": ("width", _width),
    "font-weight": ("font-weight", _WEIGHTS.get),
    "font-style": ("font-style", _SLANTS.get),
    **dict.fromkeys(["text-decoration", "text-decoration-line"], ("text-decoration", _decoration)),
    **dict.fromkeys(["page-break-before", "break-before"], ("break-before", _BREAKS.get)),
    **dict.fromkeys(["page-break-after", "break-after"], ("break-after", _BREAKS.get)),
}


def read(tag: str, attributes: dict[str, str]) -> dict[str, str]:
    """The known properties from `style` and presentational attributes.

    Raises TooComplex above MAX_POINTS or MAX_PERCENT.
    """
    given = [(name, attributes.get(old, "")) for old, name in PRESENTATIONAL.items() if old != "width" or tag in _SIZED]
    for declaration in attributes.get("style", "")[:MAX_LENGTH].split(";"):
        name, _, value = declaration.partition(":")
        given.append((name.strip().lower(), value))
    style = {}
    for name, value in given:
        if name in _READ:
            kept, known = _READ[name]
            if read := known(value.strip().lower().removesuffix("!important").strip()):
                style[kept] = read
    return style


def unknown(style: str) -> list[str]:
    """The unsupported properties, without Word's `mso-…`."""
    names = [part.partition(":")[0].strip().lower() for part in style[:MAX_LENGTH].split(";")]
    return [name for name in names if name and name not in _READ and not name.startswith("mso-")]


def written(style: dict[str, str]) -> str:
    """A style attribute, sorted by name."""
    return ";".join(f"{name}:{value}" for name, value in sorted(style.items()))


def style_of(element: etree._Element) -> dict[str, str]:
    given = element.get("style")
    return dict(part.split(":") for part in given.split(";")) if given else {}
