"""The look of an organization: a small stylesheet of custom properties, made from three checked colours.

Its address holds the colours and nothing else, so it names no form, may be cached for good and needs no inline style.
Every pair of colours that carries meaning is brought to the contrast that WCAG 2.2 AA asks for.
"""

from pipeline.validation.colors import MIN_CONTRAST, WHITE, colors_of, contrast, readable

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


def sheet_name(branding):
    """The name of a branding's stylesheet: its colours."""
    return "-".join(color[1:] for color in colors_of(branding).values())


def stylesheet(primary, background, text):
    """The stylesheet (str) of three `#rrggbb` colours."""
    if contrast(text, background) < MIN_CONTRAST:
        text = readable(background)
    accent = primary if contrast(primary, background) >= MIN_CONTRAST else text
    surface = mix(text, background, 0.05)
    surface = surface if contrast(text, surface) >= MIN_CONTRAST else background
    return SHEET.format(
        scheme="dark" if readable(background) == WHITE else "light",
        background=background,
        text=text,
        muted=faintest(text, (background, surface), MIN_CONTRAST + 0.5),
        line=mix(text, background, 0.16),
        edge=faintest(text, (background,), MIN_EDGE + 0.5),
        surface=surface,
        brand=primary if contrast(primary, background) >= MIN_EDGE else text,
        on_brand=readable(primary if contrast(primary, background) >= MIN_EDGE else text),
        accent=accent,
        error=next((color for color in ERRORS if contrast(color, background) >= MIN_CONTRAST), text),
    )


def faintest(color, backgrounds, ratio):
    """The mixture of a colour and the first background that is nearest to it and still has the contrast to all
    backgrounds; else the colour.
    """
    for step in range(4, 20):
        mixed = mix(color, backgrounds[0], step / 20)
        if all(contrast(mixed, background) >= ratio for background in backgrounds):
            return mixed
    return color


def mix(color, background, share):
    """`share` (0 to 1) of a colour over a background."""
    pairs = zip(_channels(color), _channels(background), strict=True)
    return "#" + "".join(f"{round(over * share + under * (1 - share)):02x}" for over, under in pairs)


def _channels(color):
    return [int(color[start : start + 2], 16) for start in (1, 3, 5)]
