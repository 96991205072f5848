"""Puts signatures into the blanks of a contract."""

import unicodedata
from collections import Counter
from collections.abc import Collection

from lxml import etree, html

from pipeline.documents.subset import CONTRACT, PARTIES, PLACES, parse

LETTERS_OF_DRAWING, LETTERS_TOGETHER = 50, 300
# A signer's own name and title replace printed ones.
PRINTED = frozenset(f"{party}-{part}" for party in PARTIES for part in ("name", "title"))


def places(content: str) -> Counter[str]:
    """How often each of PLACES stands in a contract's HTML."""
    found = (PLACES.intersection(_classes(element)) for element in _blanks(parse(content, CONTRACT)))
    return Counter(name for names in found for name in names)


def printed(content: str) -> dict[str, list[str]]:
    """The words that a contract's HTML prints in places for names and titles."""
    found: dict[str, list[str]] = {}
    for element in _blanks(parse(content, CONTRACT)):
        words = _text(element)
        for place in PRINTED.intersection(_classes(element)) if words else ():
            found.setdefault(place, []).append(words)
    return found


def letters(filling: str) -> int:
    """The length of a blank's HTML; a ligature counts as its letters."""
    element = html.fragment_fromstring(filling, create_parent="span")
    text = unicodedata.normalize("NFKC", "".join(element.itertext()))
    return len(text) + LETTERS_OF_DRAWING * sum(1 for _image in element.iter("img"))


def fill(root: etree._Element, signatures: Collection[tuple[str, str]]) -> None:
    """Replaces the text of each blank by HTML."""
    given = dict(signatures)
    names = {name: "signed" if letters(text) <= LETTERS_TOGETHER else "signed parted" for name, text in signatures}
    for element in _blanks(root) if given else ():
        for name in given.keys() & set(_classes(element)):
            filling = html.fragment_fromstring(given[name], create_parent="span")
            del element[:]
            element.text, element[:] = filling.text, list(filling)
            element.set("class", names[name])


def _blanks(root: etree._Element) -> list[etree._Element]:
    """Elements without words, or of a name or title: signers have seen other words, so they stay.

    Not those that each page repeats.
    """
    spans = (one for one in root.iter("span") if PRINTED.intersection(_classes(one)) or not _text(one))
    return [element for element in spans if next(element.iterancestors("thead"), None) is None]


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).strip().strip("_").split())


def _classes(element: etree._Element) -> list[str]:
    return element.get("class", "").split()
