"""The few style properties that a contract may set, read once, for both renderers."""

import re

from pipeline.documents.document import TooComplex

# A4 is 595 points wide; beyond this a width is a mistake or an attack.
MAX_WIDTH = 2000.0
# Where a link may lead; nothing in it could end the field of a Word file or be a merge tag.
LINK = re.compile(r"(?:https://|mailto:)[^\s\x00-\x1f\x7f\"'\\<>{}|^`]{3,2000}", re.IGNORECASE)
MAX_PERCENT = 100.0
_POINTS = {"pt": 1.0, "px": 0.75, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "em": 10.5, "rem": 10.5}
_BREAKS = {
    "page": "page",
    "always": "page",
    "left": "page",
    "right": "page",
    "recto": "page",
    "verso": "page",
    "avoid": "avoid",
    "avoid-page": "avoid",
}
_ALIGN = {"left": "left", "start": "left", "right": "right", "end": "right", "center": "center", "justify": "justify"}
_VERTICAL = {name: name for name in ("top", "middle", "bottom", "baseline", "sub", "super")}


def _bold(value):
    if value in ("bold", "bolder"):
        return "bold"
    if value in ("normal", "lighter"):
        return "normal"
    return ("bold" if int(value) >= 600 else "normal") if re.fullmatch(r"[1-9]00", value) else None


def _italic(value):
    return {"italic": "italic", "oblique": "italic", "normal": "normal"}.get(value)


def _decoration(value):
    lines = [line for line in ("underline", "line-through") if line in value.split()]
    return " ".join(lines) or ("none" if value == "none" else None)


def _width(value):
    match = re.fullmatch(r"\+?(\d+(?:\.\d*)?|\.\d+)(?:e\+?(\d+))?(%|[a-z]+)", value)
    if not match or (match[3] != "%" and match[3] not in _POINTS):
        return None
    exponent = int(match[2] or 0)
    if len(match[1]) > 12 or exponent > 6:
        raise TooComplex(f"A width of {value[:40]} is too large.")
    number = float(match[1]) * 10**exponent
    if number > MAX_PERCENT if match[3] == "%" else number * _POINTS[match[3]] > MAX_WIDTH:
        raise TooComplex(f"A width of {value[:40]} is too large.")
    return f"{number:g}%" if match[3] == "%" else f"{number * _POINTS[match[3]]:g}pt"


_READ = {
    "text-align": ("text-align", _ALIGN.get),
    "vertical-align": ("vertical-align", _VERTICAL.get),
    "width": ("width", _width),
    "font-weight": ("font-weight", _bold),
    "font-style": ("font-style", _italic),
    "text-decoration": ("text-decoration", _decoration),
    "page-break-before": ("break-before", _BREAKS.get),
    "break-before": ("break-before", _BREAKS.get),
    "page-break-after": ("break-after", _BREAKS.get),
    "break-after": ("break-after", _BREAKS.get),
}


def read_style(text):
    """A style attribute as a dict of known properties in canonical form; the rest is left out.

    A width is in points or percent; TooComplex when it is absurd.
    """
    style = {}
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        value = value.replace("!important", "").strip().lower()
        known = _READ.get(name.strip().lower())
        if known and value and (read := known[1](value)):
            style[known[0]] = read
    return style


def declarations(style):
    """A dict of properties as the text of a style attribute."""
    return "; ".join(f"{name}: {value}" for name, value in style.items())


def style_of(element):
    """The dict of properties of an element of the tree."""
    given = element.get("style")
    return dict(part.split(": ") for part in given.split("; ")) if given else {}
