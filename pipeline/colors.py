"""Colours `#rrggbb` and whether text in them can be read."""


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two `#rrggbb` colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    channels = (int(color[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
