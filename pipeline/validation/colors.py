"""Colours `#rrggbb` and their contrast."""

import re
from collections.abc import Mapping
from typing import Any

from pipeline.validation.codes import sentence

COLOR = "#[0-9A-Fa-f]{6}"
DEFAULT_COLORS = {"primary_color": "#1d4ed8", "background_color": "#ffffff", "text_color": "#1f2937"}
# (background, text) of each colour scheme.
LIGHT = (DEFAULT_COLORS["background_color"], DEFAULT_COLORS["text_color"])
DARK = ("#16191d", "#e4e7eb")
MIN_CONTRAST = 4.5
WHITE, BLACK = "#ffffff", "#000000"


def colors_of(branding: Mapping[str, Any]) -> dict[str, str]:
    """Returns a branding's colours, with defaults for invalid ones."""
    return {name: _color(branding.get(name)) or default for name, default in DEFAULT_COLORS.items()}


def is_fixed(branding: Mapping[str, Any]) -> bool:
    """Returns whether text or background is set, which disables the dark scheme."""
    return any(_color(branding.get(name)) for name in ("background_color", "text_color"))


def _color(value: Any) -> str | None:
    return value.lower() if isinstance(value, str) and re.fullmatch(COLOR, value) else None


def readable(background: str) -> str:
    """Returns white or black, with a contrast of at least 4.5:1."""
    return max(WHITE, BLACK, key=lambda color: contrast(color, background))


def unreadable(chosen: Mapping[str, str], defaults: Mapping[str, str] | None = None) -> tuple[str, str] | None:
    """Returns (field, message) for a contrast below 4.5:1, else None; `defaults` alone are not reported."""
    given = {name: color for name, color in chosen.items() if color}
    colors = {**DEFAULT_COLORS, **{name: color for name, color in (defaults or {}).items() if color}, **given}
    fields = [name for name in ("text_color", "background_color") if name in given]
    ratio = contrast(colors["text_color"], colors["background_color"])
    if not fields or ratio >= MIN_CONTRAST:
        return None
    return fields[0], sentence("low_contrast", ratio=f"{ratio:.2f}", least=MIN_CONTRAST)


def mix(color: str, background: str, share: float) -> str:
    """Returns `share` (0 to 1) of a colour over a background."""
    pairs = zip(_channels(color), _channels(background), strict=True)
    return "#" + "".join(f"{round(over * share + under * (1 - share)):02x}" for over, under in pairs)


def lightened(color: str) -> str:
    """Returns a lighter colour for text on DARK."""
    shades = (mix(WHITE, color, step / 20) for step in range(21))
    return next(shade for shade in shades if contrast(shade, DARK[0]) >= MIN_CONTRAST + 0.7)


def contrast(one: str, other: str) -> float:
    """Returns the WCAG contrast ratio, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = (value / 255 for value in _channels(color))
    linear = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _channels(color: str) -> list[int]:
    return [int(color[start : start + 2], 16) for start in (1, 3, 5)]
