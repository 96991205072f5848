"""Filters untrusted HTML in linear time; the parsers behind it are quadratic in attributes."""

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
# The content of these elements is text, up to their end tag.
RAW = frozenset(["script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "plaintext"])


def reduced(source: str, elements: Collection[str], attributes: Collection[str]) -> Iterator[str]:
    """Yields HTML with only the given elements and attributes, and the text of others."""
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
    """(element, [(attribute, value)]) of every start tag, with repeated attributes."""
    position = 0
    while markup := _MARKUP.search(source, position):
        position = markup.end()
        if opened := (markup["opened"] or "").lower():
            yield opened, [(name, unescape(value)) for name, value in _attributes(markup["attributes"])]
        if opened in RAW:
            position = _raw_end(source, opened, position)


def _raw_end(source: str, element: str, position: int) -> int:
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
