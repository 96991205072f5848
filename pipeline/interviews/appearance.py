"""The look of a form and its last page: colours that can be read, links that are safe."""

from collections.abc import Mapping

from pipeline.colors import COLOR, DEFAULT_COLORS, unreadable
from pipeline.interviews.checks import Findings, at, boolean, https_url, record, text

BRANDING = record({"logo_url": https_url, **dict.fromkeys(DEFAULT_COLORS, text(7, COLOR))})
THANK_YOU = record({"title": text(200), "body": text(5000), "redirect_url": https_url, "show_answers": boolean})


def check_branding(found: Findings, place: str, branding: object, defaults: Mapping[str, str]) -> None:
    """Check the branding; text must be readable (WCAG 2.2 AA) on the background, each given or a default.

    `defaults` holds the organization's colours; what it lacks comes from DEFAULT_COLORS.
    """
    before = len(found)
    BRANDING(found, place, branding)
    if len(found) > before:
        return
    fault = unreadable(branding, defaults)
    if fault:
        field, message = fault
        found.add(at(place, field), "low_contrast", message)
