"""Reduces any HTML to the subset of contract templates."""

from functools import lru_cache

import nh3

from pipeline.documents import TooComplex
from pipeline.documents.subset import ATTRIBUTES, ELEMENTS, TEMPLATE, read, serialized
from pipeline.validation import invalid_field

TOO_LONG = f"Has more than {TEMPLATE.characters:,} characters, read or written as plain HTML."
# Two or three passes normally suffice.
PASSES = 10
# The final filter, independent of the reader before it.
CLEANER = nh3.Cleaner(
    tags=set(ELEMENTS),
    clean_content_tags={"script", "style"},
    attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
    url_schemes={"https", "mailto"},
    strip_comments=True,
    link_rel=None,
)


def sanitize(source: str) -> str:
    """Returns a template's HTML as it is stored; idempotent.

    Raises 422 for `content`: too_large, too_deep, not_printable or malformed_html.
    """
    try:
        return cleaned(source)
    except TooComplex as error:
        raise invalid_field("content", error.code, str(error)) from None


# Saving a template calls this twice, and its first contract once more.
@lru_cache(maxsize=8)
def cleaned(source: str) -> str:
    """As `sanitize`, but raises TooComplex."""
    for _ in range(PASSES):
        if len(source) > TEMPLATE.characters:
            raise TooComplex(TOO_LONG, "too_large")
        result = CLEANER.clean(serialized(read(source, TEMPLATE)))
        if result == source:
            return result
        source = result
    raise TooComplex("The elements are nested in a way that cannot be mended.", "malformed_html")
