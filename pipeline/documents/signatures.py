"""Puts signatures into the blanks of a contract."""

from collections.abc import Iterable

from lxml import etree, html

from pipeline.documents.subset import CONTRACT, PLACES, parse


def places(content: str) -> frozenset[str]:
    """The PLACES in a contract's HTML."""
    root = parse(content, CONTRACT)
    return PLACES.intersection(name for element in root.iter("span") for name in element.get("class", "").split())


def fill(root: etree._Element, signatures: Iterable[tuple[str, str]]) -> None:
    """Replaces the text of each blank by HTML."""
    given = dict(signatures)
    for element in list(root.iter("span")) if given else ():
        for name in given.keys() & set(element.get("class", "").split()):
            filling = html.fragment_fromstring(given[name], create_parent="span")
            del element[:]
            element.text, element[:] = filling.text, list(filling)
            element.set("class", "signed")
