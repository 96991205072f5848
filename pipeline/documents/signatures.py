"""Puts signatures into the blanks of a contract."""

from collections.abc import Iterable

from lxml import etree, html

from pipeline.documents.subset import CONTRACT, PLACES, parse


def places(content: str) -> frozenset[str]:
    """The PLACES in a contract's HTML."""
    return PLACES.intersection(name for element in _blanks(parse(content, CONTRACT)) for name in _classes(element))


def fill(root: etree._Element, signatures: Iterable[tuple[str, str]]) -> None:
    """Replaces the text of each blank by HTML."""
    given = dict(signatures)
    for element in _blanks(root) if given else ():
        for name in given.keys() & set(_classes(element)):
            filling = html.fragment_fromstring(given[name], create_parent="span")
            del element[:]
            element.text, element[:] = filling.text, list(filling)
            element.set("class", "signed")


def _blanks(root: etree._Element) -> list[etree._Element]:
    """Elements without words: signers have seen words, so they stay."""
    return [element for element in root.iter("span") if not "".join(element.itertext()).strip().strip("_")]


def _classes(element: etree._Element) -> list[str]:
    return element.get("class", "").split()
