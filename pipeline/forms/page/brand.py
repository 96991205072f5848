"""An organization's stylesheet of custom properties.

The URL holds the colours, for caches. Colours are adjusted to WCAG 2.2 AA.
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

# Contrast of control borders and the focus ring (WCAG 1.4.11).
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
# Dark logos need a white ground; print stays light.
DARK_SHEET = """@media screen and (prefers-color-scheme: dark) {{
{sheet}.logo {{ padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: #ffffff; }}
}}
"""


def sheet_name(branding: Mapping[str, Any]) -> str:
    """The stylesheet's name: three colours, or the primary one alone."""
    colors = colors_of(branding)
    named = colors.values() if is_fixed(branding) else [colors["primary_color"]]
    return "-".join(color[1:] for color in named)


def stylesheet(primary: str, background: str | None = None, text: str | None = None) -> str:
    """CSS for `#rrggbb` colours; without the other two, light and dark."""
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
        muted=nearest_mixture(text, (background, surface), MIN_CONTRAST + 0.5),
        line=mix(text, background, 0.16),
        edge=nearest_mixture(text, (background,), MIN_EDGE + 0.5),
        surface=surface,
        brand=brand,
        on_brand=readable(brand),
        accent=primary if is_text else text,
        error=next((color for color in ERRORS if contrast(color, background) >= MIN_CONTRAST), text),
    )


def nearest_mixture(color: str, backgrounds: Sequence[str], ratio: float) -> str:
    """The mixture nearest to the first background with `ratio` to all; else the colour."""
    for step in range(4, 20):
        mixed = mix(color, backgrounds[0], step / 20)
        if all(contrast(mixed, background) >= ratio for background in backgrounds):
            return mixed
    return color
