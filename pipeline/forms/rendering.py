"""Jinja2 over templates/, escaped by default."""

import re

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

# Where an address (of mail or of the web) may be broken: after what stands between its parts.
_JOINT = re.compile(r"(?<=\S)([@./?&=_-]+)(?=\w)")

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.forms"), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)


def breakable(text: str) -> Markup:
    """A text in which a line that is too short for an address may end between two of its parts; Markup as it is."""
    if isinstance(text, Markup):
        return text
    words = _JOINT.split(text)
    if len(words) == 1:
        return escape(text)
    return Markup("").join(escape(word) + Markup("<wbr>" * (number % 2)) for number, word in enumerate(words))


ENVIRONMENT.filters["breakable"] = breakable
