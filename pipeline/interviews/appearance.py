"""The look of a form and its last page: colours that can be read, links that are safe."""

from collections.abc import Mapping

from pipeline.colors import contrast
from pipeline.interviews.checks import Findings, at, boolean, https_url, record, text

COLOR = "#[0-9A-Fa-f]{6}"
DEFAULT_COLORS = {"primary_color": "#1d4ed8", "background_color": "#ffffff", "text_color": "#1f2937"}
MIN_CONTRAST = 4.5

BRANDING = record({"logo_url": https_url, **dict.fromkeys(DEFAULT_COLORS, text(7, COLOR))})
THANK_YOU = record(
    {"title": text(200), "body": text(5000), "redirect_url": https_url, "show_answers": boolean},
)


def check_branding(found: Findings, place: str, branding: object, defaults: Mapping[str, str]) -> None:
    """Check the branding; text must be readable (WCAG 2.2 AA) on the background, each given or a default.

    `defaults` holds the organization's colours; what it lacks comes from DEFAULT_COLORS.
    """
    before = len(found)
    BRANDING(found, place, branding)
    if len(found) > before:
        return
    given = {name: color for name, color in branding.items() if color}
    colors = {**DEFAULT_COLORS, **{name: color for name, color in defaults.items() if color}, **given}
    # Colours that the template did not choose are not its mistake.
    chosen = [name for name in ("text_color", "background_color") if name in given]
    ratio = contrast(colors["text_color"], colors["background_color"])
    if chosen and ratio < MIN_CONTRAST:
        message = f"Text on background has a contrast of {ratio:.2f}:1; {MIN_CONTRAST}:1 is the least."
        found.add(at(place, chosen[0]), "low_contrast", message)
