"""Puts signatures into the blanks of a contract."""

import unicodedata
from collections import Counter
from collections.abc import Collection

from lxml import etree, html

from pipeline.documents.subset import CONTRACT, PLACES, parse

LETTERS_OF_DRAWING, LETTERS_TOGETHER = 50, 300


def places(content: str) -> Counter[str]:
    """How often each of PLACES stands in a contract's HTML."""
    found = (PLACES.intersection(_classes(element)) for element in _blanks(parse(content, CONTRACT)))
    return Counter(name for names in found for name in names)


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
    """Elements without words: signers have seen words, so they stay. Not those that each page repeats."""
    empty = (element for element in root.iter("span") if not "".join(element.itertext()).strip().strip("_"))
    return [element for element in empty if next(element.iterancestors("thead"), None) is None]


def _classes(element: etree._Element) -> list[str]:
    return element.get("class", "").split()
