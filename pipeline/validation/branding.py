"""The look of an organization, and of a form that has one of its own."""

from collections.abc import Mapping
from typing import Any

from pipeline.validation import Body, Color, HttpsUrl, Violation, optional
from pipeline.validation.colors import unreadable


class Branding(Body):
    """The look of an organization or of one form: what is left out is as it is elsewhere."""

    sparse = True

    logo_url = optional(HttpsUrl())
    primary_color = optional(Color())
    background_color = optional(Color())
    text_color = optional(Color())


def branding_violations(values: Mapping[str, Any], defaults: Mapping[str, str] | None = None) -> list[Violation]:
    """The violation of a body's `branding` when text in it cannot be read on its background (WCAG 2.2 AA).

    `defaults` are the colours that it does not choose itself.
    """
    unread = "branding" in values and unreadable(values["branding"], defaults)
    return [Violation(f"branding.{unread[0]}", "low_contrast", unread[1])] if unread else []
