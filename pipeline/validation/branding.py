"""Branding of organizations and forms."""

from collections.abc import Mapping

from pipeline.validation import Body, Color, HttpsUrl, Values, Violation, optional
from pipeline.validation.colors import unreadable


class Branding(Body):
    """Colours and logo; absent fields are inherited."""

    sparse = True

    logo_url = optional(HttpsUrl(), description="The URL of the logo.")
    primary_color = optional(Color(), description="The color of buttons and links.")
    background_color = optional(Color(), description="The color of the background.")
    text_color = optional(Color(), description="The color of the text.")


def branding_violations(values: Values, defaults: Mapping[str, str] | None = None) -> list[Violation]:
    """Returns the violation for low contrast (WCAG 2.2 AA)."""
    unread = "branding" in values and unreadable(values["branding"], defaults)
    return [Violation(f"branding.{unread[0]}", "low_contrast", unread[1])] if unread else []
