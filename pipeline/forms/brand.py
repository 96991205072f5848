"""The look of an organization: a small stylesheet of custom properties, made from its checked colours.

Its address holds the colours and nothing else, so it names no form, may be cached for good and needs no inline style.
Every pair of colours that carries meaning is brought to the contrast that WCAG 2.2 AA asks for. Where the organization
has chosen neither background nor text, the pages are dark on a device that is set to dark.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.validation.colors import (
    DARK,
    LIGHT,
    MIN_CONTRAST,
    WHITE,
    colors_of,
    contrast,
    is_fixed,
    lightened,
    mix,
    readable,
)

# What borders of controls and the focus ring must have (WCAG 1.4.11).
MIN_EDGE = 3
ERRORS = ("#b3261e", "#ffb4ab")

SHEET = """:root {{
  color-scheme: {scheme};
  --background: {background};
  --text: {text};
  --muted: {muted};
  --line: {line};
  --edge: {edge};
  --surface: {surface};
  --brand: {brand};
  --on-brand: {on_brand};
  --accent: {accent};
  --error: {error};
}}
"""
# A logo may be dark letters on nothing, so it keeps its white ground. On paper nothing is dark.
DARK_SHEET = """@media screen and (prefers-color-scheme: dark) {{
{sheet}.logo {{ padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: #ffffff; }}
}}
"""


def sheet_name(branding: Mapping[str, Any]) -> str:
    """The name of a branding's stylesheet: its three colours, or the primary one where it leaves the others open."""
    colors = colors_of(branding)
    named = colors.values() if is_fixed(branding) else [colors["primary_color"]]
    return "-".join(color[1:] for color in named)


def stylesheet(primary: str, background: str | None = None, text: str | None = None) -> str:
    """The stylesheet of `#rrggbb` colours; the primary one alone makes a light and a dark look."""
    if background and text:
        return _sheet(primary, background, text)
    return _sheet(primary, *LIGHT) + DARK_SHEET.format(sheet=_sheet(lightened(primary), *DARK))


def _sheet(primary: str, background: str, text: str) -> str:
    if contrast(text, background) < MIN_CONTRAST:
        text = readable(background)
    surface = mix(text, background, 0.05)
    surface = surface if contrast(text, surface) >= MIN_CONTRAST else background
    brand = primary if contrast(primary, background) >= MIN_EDGE else text
    is_text = min(contrast(primary, background), contrast(primary, surface)) >= MIN_CONTRAST
    return SHEET.format(
        scheme="dark" if readable(background) == WHITE else "light",
        background=background,
        text=text,
        muted=faintest(text, (background, surface), MIN_CONTRAST + 0.5),
        line=mix(text, background, 0.16),
        edge=faintest(text, (background,), MIN_EDGE + 0.5),
        surface=surface,
        brand=brand,
        on_brand=readable(brand),
        accent=primary if is_text else text,
        error=next((color for color in ERRORS if contrast(color, background) >= MIN_CONTRAST), text),
    )


def faintest(color: str, backgrounds: Sequence[str], ratio: float) -> str:
    """The mixture of a colour and the first background that is nearest to it and still has the contrast to all
    backgrounds; else the colour.
    """
    for step in range(4, 20):
        mixed = mix(color, backgrounds[0], step / 20)
        if all(contrast(mixed, background) >= ratio for background in backgrounds):
            return mixed
    return color
