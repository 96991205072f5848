"""Reduces HTML to the subset of templates."""

from functools import lru_cache

import nh3
from lxml import etree

from pipeline.documents import TooComplex
from pipeline.documents.reading import read
from pipeline.documents.subset import ATTRIBUTES, ELEMENTS, TEMPLATE, parse, serialized
from pipeline.validation import invalid_field

TOO_LONG = f"Has more than {TEMPLATE.characters:,} characters, read or written as plain HTML."
# Two or three normally suffice.
PASSES = 10
# Independent of the reader before it.
CLEANER = nh3.Cleaner(
    tags=set(ELEMENTS),
    clean_content_tags={"script", "style"},
    attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
    url_schemes={"https", "mailto"},
    strip_comments=True,
    link_rel=None,
)


def sanitize(source: str) -> str:
    """The stored form of a template's HTML; idempotent.

    Raises 422 for `content`: too_large, too_deep, not_printable, malformed_html.
    """
    try:
        return cleaned(source)
    except TooComplex as error:
        raise invalid_field("content", error.code, str(error)) from None


# Saving calls this twice, the first contract once.
@lru_cache(maxsize=8)
def cleaned(source: str) -> str:
    """Same as `sanitize`, but raises TooComplex."""
    for _ in range(PASSES):
        if len(source) > TEMPLATE.characters:
            raise TooComplex(TOO_LONG, "too_large")
        result = CLEANER.clean(serialized(read(source, TEMPLATE)))
        if result == source:
            return result
        source = result
    raise TooComplex("The elements are nested in a way that cannot be mended.", "malformed_html")


@lru_cache(maxsize=8)
def read_template(content: str) -> etree._Element:
    """A template's tree; change only copies. Raises TooComplex for HTML that `sanitize` refuses."""
    return parse(cleaned(content), TEMPLATE)
