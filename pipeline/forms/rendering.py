"""The Jinja2 environment of the pages."""

import re

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from pipeline.forms.piping import Piped

# Separators in email addresses and URLs.
_JOINT = re.compile(r"(?<=\S)([@./?&=_-]+)(?=\w)")

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.forms"), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)


def breakable(text: str) -> Markup:
    """Adds `<wbr>` after separators in text; Markup and Piped texts get none."""
    if hasattr(text, "__html__"):
        return escape(text)
    words = _JOINT.split(text)
    if len(words) == 1:
        return escape(text)
    return Markup("").join(escape(word) + Markup("<wbr>" * (number % 2)) for number, word in enumerate(words))


def apart(text: str) -> str:
    """A text for a place without markup, such as an attribute."""
    return text.apart if isinstance(text, Piped) else text


ENVIRONMENT.filters["breakable"] = breakable
ENVIRONMENT.filters["apart"] = apart
