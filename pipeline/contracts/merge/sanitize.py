"""How any HTML becomes that of a contract template: in the subset, and the same when it is read again."""

from functools import lru_cache

import nh3

from pipeline.documents import TooComplex
from pipeline.documents.subset import ATTRIBUTES, ELEMENTS, TEMPLATE, read, serialized
from pipeline.validation import invalid_field

TOO_LONG = f"Has more than {TEMPLATE.characters:,} characters, read or written as plain HTML."
# Each pass works on the result of the one before; what two parsers read alike is reached after two or three.
PASSES = 10
# The last word on what is let through, whatever the reading before it has missed.
CLEANER = nh3.Cleaner(
    tags=set(ELEMENTS),
    clean_content_tags={"script", "style"},
    attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
    url_schemes={"https", "mailto"},
    strip_comments=True,
    link_rel=None,
)


def sanitize(source: str) -> str:
    """The HTML of a template as it is stored. Applied to its own result it changes nothing.

    Raises the 422 of the field `content`: too_large, too_deep, not_printable, or malformed_html for what no reader
    would understand.
    """
    try:
        return cleaned(source)
    except TooComplex as error:
        raise invalid_field("content", error.code, str(error)) from None


# Saving a template reads it twice, then its first contract does.
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
