"""Parses style properties into one form: points or percent, and `break-…`."""

import re
from collections.abc import Callable

from lxml import etree

from pipeline.documents.document import TooComplex

# Attributes of older editors.
PRESENTATIONAL = {"align": "text-align", "valign": "vertical-align", "width": "width"}
_SIZED = ("td", "th", "col", "table", "img")
SIDES = ("top", "right", "bottom", "left")
_FRAMED = frozenset(["td", "th", "table", "p", "h1", "h2", "h3", "h4", "div", "blockquote"])
_LINES = {name: name for name in ("solid", "dashed", "dotted", "double", "none")} | {"hidden": "none"}
_LINES |= dict.fromkeys(["groove", "ridge", "inset", "outset", "window-inset"], "solid")
# Lines that nobody sees.
_UNSEEN = re.compile(r"0(?:\.0+)?[a-z]*|white|transparent|#fff(?:fff)?")
_BORDER = re.compile("border(?:-(top|right|bottom|left))?(?:-(style|width|color))?")
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
_CAPITALS = {name: name for name in ("uppercase", "lowercase", "capitalize", "none")}
_VARIANTS = {"small-caps": "small-caps", "normal": "normal"}
_SLANTS = {"italic": "italic", "oblique": "italic", "normal": "normal"}


def _decoration(value: str) -> str | None:
    # Browsers add the line's style and colour.
    lines = [line for line in ("underline", "line-through") if line in value.split()]
    return " ".join(lines) or ("none" if value == "none" else None)


def _borders(name: str, value: str) -> dict[str, str]:
    """The lines that a border property draws or removes, by side."""
    found, words = _BORDER.fullmatch(name), value.split()
    if not found or not words:
        return {}
    if found[2]:
        given = _four(words) if not found[1] else words[:1] * 4
    else:
        line = next((_LINES[word] for word in words if word in _LINES), "none")
        given = ["none" if any(map(_UNSEEN.fullmatch, words)) else line] * 4
    lines = dict(zip(SIDES, given, strict=True))
    kept = {side: "none" if _UNSEEN.fullmatch(line) else _LINES.get(line, "") for side, line in lines.items()}
    return {f"border-{side}": line for side, line in kept.items() if line and found[1] in (None, side)}


def _four(words: list[str]) -> list[str]:
    """The values of all SIDES, of which CSS takes one to four."""
    top, *rest = words
    right = rest[0] if rest else top
    return [top, right, rest[1] if len(rest) > 1 else top, rest[2] if len(rest) > 2 else right]


def in_points(value: str) -> float | None:
    """A length of any sign in points, or None."""
    sign = -1 if value.startswith("-") else 1
    match = _LENGTH.fullmatch(value.removeprefix("-"))
    return sign * float(match[1]) * _POINTS[match[2]] if match and match[2] in _POINTS else None


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
    "text-transform": ("text-transform", _CAPITALS.get),
    **dict.fromkeys(["font-variant", "font-variant-caps"], ("font-variant", _VARIANTS.get)),
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
    # Google Docs writes a line's width of zero before its style.
    given.sort(key=lambda one: one[0].startswith("border") and one[0].endswith(("-width", "-color")))
    style: dict[str, str] = {}
    for name, value in given:
        if name.startswith("border") and tag in _FRAMED:
            style |= _borders(name, value.strip().lower().removesuffix("!important").strip())
        elif name in _READ:
            kept, known = _READ[name]
            if read := known(value.strip().lower().removesuffix("!important").strip()):
                style[kept] = read
    return style


def unknown(style: str) -> list[str]:
    """The unsupported properties, without Word's `mso-…`."""
    names = [part.partition(":")[0].strip().lower() for part in style[:MAX_LENGTH].split(";")]
    return [name for name in names if name and name not in _READ and not name.startswith(("mso-", "border"))]


def written(style: dict[str, str]) -> str:
    """A style attribute, sorted by name."""
    return ";".join(f"{name}:{value}" for name, value in sorted(style.items()))


def style_of(element: etree._Element) -> dict[str, str]:
    given = element.get("style")
    return dict(part.split(":") for part in given.split(";")) if given else {}
