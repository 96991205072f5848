"""The first reading of HTML from outside: tags and text told apart in linear time, and only the known tags kept.

The parsers behind it take the square of the time for a hundred thousand attributes. What goes on to them is written
anew: known elements with known attributes, and everything else as escaped text.
"""

import re
from collections.abc import Collection, Iterator
from html import unescape

_NAME = r"[a-zA-Z][^\s/>]*+"
_VALUE = r"\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+"
_ATTRIBUTE = rf"(?:=[^\s/>=]*+|[^\s/>=]++)(?:\s*+=\s*+(?:{_VALUE}))?"
_ATTRIBUTES = re.compile(rf"(?P<name>=[^\s/>=]*+|[^\s/>=]++)(?:\s*+=\s*+(?P<value>{_VALUE}))?")
_MARKUP = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<[!?][^>]*+(?:>|\Z)"
    rf"|</(?P<closed>{_NAME})[^>]*+(?:>|\Z)"
    rf"|<(?P<opened>{_NAME})(?P<attributes>(?:[\s/]++|{_ATTRIBUTE})*+)(?:>|\Z)",
    re.DOTALL,
)
# Elements whose content is no markup; it ends with their end tag or with the whole.
RAW = frozenset(["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "plaintext"])


def reduced(source: str, elements: Collection[str], attributes: Collection[str]) -> Iterator[str]:
    """HTML in parts, with no other elements and attributes than the given ones; the text of other elements stays."""
    position = 0
    while markup := _MARKUP.search(source, position):
        yield source[position : markup.start()].replace("<", "&lt;")
        position = markup.end()
        opened, closed = (markup["opened"] or "").lower(), (markup["closed"] or "").lower()
        if opened in RAW:
            position = _raw_end(source, opened, position)
        elif opened in elements:
            yield f"<{opened}{_kept(markup['attributes'], attributes)}>"
        elif closed in elements:
            yield f"</{closed}>"
    yield source[position:].replace("<", "&lt;")


def start_tags(source: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """(element, [(attribute, value)]) of every start tag as it is written: a repeated attribute is there twice."""
    position = 0
    while markup := _MARKUP.search(source, position):
        position = markup.end()
        if opened := (markup["opened"] or "").lower():
            yield opened, [(name, unescape(value)) for name, value in _attributes(markup["attributes"])]
        if opened in RAW:
            position = _raw_end(source, opened, position)


def _raw_end(source: str, element: str, position: int) -> int:
    """Where the content of a RAW element ends that begins at a position."""
    end = re.compile(rf"</{element}(?=[\s/>])", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


def _attributes(written: str) -> Iterator[tuple[str, str]]:
    for attribute in _ATTRIBUTES.finditer(written):
        value = attribute["value"] or ""
        if value[:1] in ("'", '"'):
            value = value[1:].removesuffix(value[0])
        yield attribute["name"].lower(), value


def _kept(written: str, attributes: Collection[str]) -> str:
    kept = {}
    for name, value in _attributes(written):
        if name in attributes and name not in kept:
            kept[name] = value.replace('"', "&quot;").replace("<", "&lt;")
    return "".join(f' {name}="{value}"' for name, value in kept.items())
