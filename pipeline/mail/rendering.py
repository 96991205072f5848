"""Emails as text and HTML, in the colours of the organization."""

import functools
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from pipeline.colors import contrast

TEMPLATES = Path(__file__).with_name("templates")
DEFAULTS = {"primary_color": "#1d4ed8", "background_color": "#ffffff", "text_color": "#1f2937"}
INKS = ("#ffffff", "#000000")
READABLE = 4.5


@functools.cache
def environment():
    """The templates of this folder; everything put into HTML is escaped."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(name, branding, **values):
    """(text, html) of the email templates `<name>.txt` and `<name>.html`.

    `branding` is the organization's: logo_url and colours; what is missing or cannot be read is replaced.
    """
    values = {**values, "brand": brand(branding)}
    text = environment().get_template(f"{name}.txt").render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n", environment().get_template(f"{name}.html").render(values)


def branding_of(row, public_url):
    """The organization's branding of a row with `branding` and `logo`, the SHA-256 of its stored logo or None.

    A `logo_url` of the branding stands before the stored logo, which the forms serve.
    """
    stored = {"logo_url": f"{public_url}/forms/logo/{row['logo']}"} if row["logo"] else {}
    return {**stored, **row["branding"]}


def brand(branding):
    """Colours in which every text can be read (WCAG 2.2 AA), and the logo: dict for the templates.

    The keys are background, text, primary, on_primary, link, logo_url (None unless it is an https URL).
    """
    given = {name: value for name, value in branding.items() if name in DEFAULTS and _is_color(value)}
    colors = {**DEFAULTS, **given}
    background, primary = colors["background_color"], colors["primary_color"]
    text = colors["text_color"]
    if contrast(text, background) < READABLE:
        text = _ink(background)
    logo_url = branding.get("logo_url")
    return {
        "background": background,
        "text": text,
        "primary": primary,
        "on_primary": _ink(primary),
        "link": primary if contrast(primary, background) >= READABLE else text,
        "logo_url": logo_url if isinstance(logo_url, str) and re.fullmatch(r"https://[^\s\"'<>]+", logo_url) else None,
    }


def _is_color(value):
    return isinstance(value, str) and re.fullmatch("#[0-9A-Fa-f]{6}", value) is not None


def _ink(background):
    """White or black, whichever can be read on a colour; one of them always has 4.5:1 or more."""
    return max(INKS, key=lambda ink: contrast(ink, background))
