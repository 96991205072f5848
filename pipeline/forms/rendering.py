"""Jinja2 over templates/, escaped by default."""

import functools
import re
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from pipeline.forms.brand import sheet_name
from pipeline.forms.looks import Look
from pipeline.forms.markdown import label, to_html
from pipeline.forms.texts import Texts
from pipeline.http.assets import Assets

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
    return Markup("").join(escape(word) + Markup("<wbr>" * (number % 2)) for number, word in enumerate(words))


ENVIRONMENT.filters |= {"breakable": breakable, "label": label}


def render(template: str, assets: Assets, texts: Texts, look: Look, values: Mapping[str, Any]) -> str:
    """The HTML of a page. assets: the Assets; look: the Look it wears; values: what the template shows."""
    return ENVIRONMENT.get_template(template).render(
        t=texts,
        assets=f"/forms/static/{assets.folder}",
        sheet=f"/forms/brand/{sheet_name(look.branding)}.css",
        organization=look.organization,
        logo=look.logo,
        markdown=functools.partial(to_html, opens=texts("link.opens")),
        **values,
    )
