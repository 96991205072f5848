"""Filters untrusted HTML in linear time; the parsers behind it are quadratic in attributes."""

import re
from collections import Counter
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
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
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
            yield f"<{opened}{_kept_attributes(markup['attributes'], attributes)}>"
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


# [(attributes of an element, number of visible characters inside)].
Inner = list[tuple[list[tuple[str, str]], int]]


def inner_letters(source: str, names: Collection[str], removed: Collection[str]) -> Inner:
    """The Inner of the elements that have one of `names` as an attribute.

    An element ends with its own end tag, or with that of an element around it. `removed` elements hold nothing.
    """
    reading, position = _Inside(names, removed), 0
    while markup := _MARKUP.search(source, position):
        reading.text(source[position : markup.start()])
        position = markup.end()
        opened = (markup["opened"] or "").lower()
        if opened in RAW:
            position = _raw_end(source, opened, position)
        elif opened and opened not in VOID:
            reading.open(opened, [(name, unescape(value)) for name, value in _attributes(markup["attributes"])])
        reading.close((markup["closed"] or "").lower())
    reading.text(source[position:])
    while reading.stack:
        reading.close(reading.stack[0][0])
    return reading.found


class _Inside:
    """Counts the characters inside open elements, in linear time."""

    def __init__(self, names: Collection[str], removed: Collection[str]) -> None:
        self.names, self.removed = names, removed
        self.found: Inner = []
        # (element, its place in `found` or None, the characters before it); how often each element is open.
        self.stack: list[tuple[str, int | None, int]] = []
        self.opened: Counter[str] = Counter()
        self.total = 0

    def text(self, text: str) -> None:
        if not any(self.opened[name] for name in self.removed):
            self.total += _visible(text)

    def open(self, element: str, attributes: list[tuple[str, str]]) -> None:
        place = len(self.found) if any(name in self.names for name, _ in attributes) else None
        if place is not None:
            self.found.append((attributes, 0))
        self.stack.append((element, place, self.total))
        self.opened[element] += 1

    def close(self, element: str) -> None:
        while self.opened[element]:
            name, place, before = self.stack.pop()
            self.opened[name] -= 1
            if place is not None:
                self.found[place] = self.found[place][0], self.total - before
            if name == element:
                return


def _visible(text: str) -> int:
    return sum(1 for sign in unescape(text) if not sign.isspace())


def _raw_end(source: str, element: str, position: int) -> int:
    end = re.compile(rf"</{element}(?=[\s/>])", re.IGNORECASE).search(source, position)
    return end.start() if end else len(source)


def _attributes(written: str) -> Iterator[tuple[str, str]]:
    for attribute in _ATTRIBUTES.finditer(written):
        value = attribute["value"] or ""
        if value[:1] in ("'", '"'):
            value = value[1:].removesuffix(value[0])
        yield attribute["name"].lower(), value


def _kept_attributes(written: str, attributes: Collection[str]) -> str:
    kept = {}
    for name, value in _attributes(written):
        if name in attributes and name not in kept:
            kept[name] = value.replace('"', "&quot;").replace("<", "&lt;")
    return "".join(f' {name}="{value}"' for name, value in kept.items())
