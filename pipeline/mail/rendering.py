"""Emails as text and HTML."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from pipeline.database import Row
from pipeline.mail.languages import FSI, PDI, is_rtl
from pipeline.mail.texts import bare, unlinked
from pipeline.validation.colors import DARK, MIN_CONTRAST, colors_of, contrast, is_fixed, lightened, readable

ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def isolate(text: str) -> Markup:
    """A text for HTML, with elements in place of Unicode's isolates."""
    return Markup(str(escape(text)).replace(FSI, "<bdi>").replace(PDI, "</bdi>"))


ENVIRONMENT.filters["isolate"] = isolate


class Letter(NamedTuple):
    """Subject and bodies of an email."""

    subject: str
    text: str
    html: str


def render(
    name: str, language: str, branding: Mapping[str, Any], organization: str, words: Mapping[str, Any], **values: Any
) -> Letter:
    """Renders `<name>.txt` and `<name>.html`; `words` contains `subject`. Invalid branding gets defaults."""
    values = {
        "organization": unlinked(organization),
        "texts": words,
        "title": bare(words["subject"]),
        "footer": words.get("footer"),
        "brand": brand(branding),
        "language": language,
        "direction": "rtl" if is_rtl(language) else "ltr",
        **values,
    }
    text, html = (ENVIRONMENT.get_template(f"{name}.{kind}").render(values) for kind in ("txt", "html"))
    return Letter(bare(words["subject"]), re.sub(r"\n{3,}", "\n\n", text).strip() + "\n", html)


def branding_of(row: Row, public_url: str) -> dict[str, Any]:
    """The branding of a row; its `logo_url` precedes the stored logo."""
    stored = {"logo_url": f"{public_url}/forms/logo/{row['logo']}"} if row["logo"] else {}
    return {**stored, **row["branding"]}


def brand(branding: Mapping[str, Any]) -> dict[str, Any]:
    """Colours with WCAG 2.2 AA contrast, `logo_url` (https or None) and `dark`, for dark mode: None if the branding
    sets background or text.
    """
    colors = colors_of(branding)
    primary, background, text = colors["primary_color"], colors["background_color"], colors["text_color"]
    logo_url = branding.get("logo_url")
    return {
        **_readable_colors(primary, background, text),
        "dark": None if is_fixed(branding) else _readable_colors(lightened(primary), *DARK),
        "logo_url": logo_url if isinstance(logo_url, str) and re.fullmatch(r"https://[^\s\"'<>]+", logo_url) else None,
    }


def _readable_colors(primary: str, background: str, text: str) -> dict[str, str]:
    if contrast(text, background) < MIN_CONTRAST:
        text = readable(background)
    return {
        "background": background,
        "text": text,
        "primary": primary,
        "on_primary": readable(primary),
        "link": primary if contrast(primary, background) >= MIN_CONTRAST else text,
    }
