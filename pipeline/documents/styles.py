"""The few style properties that a contract may set, read once, in one form: lengths in points, breaks as `break-…`."""

import re
from collections.abc import Callable

from lxml import etree

from pipeline.documents.document import TooComplex

# How older editors write a style.
PRESENTATIONAL = {"align": "text-align", "valign": "vertical-align", "width": "width"}
_SIZED = ("td", "th", "col", "table")
# Of a style attribute; what is longer says nothing more.
MAX_LENGTH = 5000
# A4 is 595 points wide; beyond this a width is a mistake or an attack.
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
    # Browsers add the style and the colour of the line.
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


# What each property is kept as, and what reads its value: None for one that means nothing here.
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
    """The known properties of an element: those of `style`, and what older attributes say beside them.

    A width is in points or percent; TooComplex when it is absurd.
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
    """The names of the properties in a style attribute that a contract cannot show, but for Word's own (`mso-…`)."""
    names = [part.partition(":")[0].strip().lower() for part in style[:MAX_LENGTH].split(";")]
    return [name for name in names if name and name not in _READ and not name.startswith("mso-")]


def written(style: dict[str, str]) -> str:
    """Properties as the text of a style attribute, in order of their names."""
    return ";".join(f"{name}:{value}" for name, value in sorted(style.items()))


def style_of(element: etree._Element) -> dict[str, str]:
    """The properties of an element of the subset's tree."""
    given = element.get("style")
    return dict(part.split(":") for part in given.split(";")) if given else {}
