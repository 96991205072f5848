"""Refuses what no contract of a file can keep: tags beyond the texts, results that only Word shows, a signature."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from .entries import entries
from .fields import fields_of
from .marks import T
from .package import Package, Refused

TAG = re.compile(r"\{\{[^{}]{1,200}\}\}")
SIGNATURE = "_xmlsignatures/"
# Parts that are drawn.
DRAWN = ("word/diagrams/", "word/charts/", "word/drawings/")
# Attributes that people read or follow.
SHOWN = frozenset(["descr", "title", "alt", "string", "href", "instr"])
# Fields without a stored result.
UNSHOWN = frozenset(
    ["LISTNUM", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "EQ", "SYMBOL", "DISPLAYBARCODE", "MERGEBARCODE"]
)

# Fields with numbers of pages, left as they are.
UNCOUNTED = frozenset(["INDEX", "TOA"])
FIXED_PAGES = {
    "code": "fixed_pages",
    "message": "An index or table of contents keeps the numbers of pages that the file has, although values may move "
    "its text: insert an automatic table of contents with links, or remove the numbers.",
}


def warnings(package: Package) -> list[dict[str, str]]:
    """Warnings: content that contracts of the file may print otherwise than its author expects."""
    for name in package.stories():
        found = fields_of(package.tree(name))
        unlinked = any(one.number is not None and not one.place for one in entries(found))
        if unlinked or any(one.kind in UNCOUNTED for one in found):
            return [FIXED_PAGES]
    return []


def check(package: Package) -> None:
    """Raises Refused with the reason."""
    if any(name.lower().startswith(SIGNATURE) for name in package.parts):
        raise Refused("The file is signed, and a contract made of it would break the signature. Remove it in Word.")
    for name in package.stories():
        for one in fields_of(package.tree(name)):
            if one.kind in UNSHOWN:
                raise Refused(
                    f"The file has a field {one.kind}, whose result only Word shows. Write it as text or list."
                )
    for text in _beyond(package):
        if found := TAG.search(text):
            raise Refused(
                f'"{found[0]}" stands where no value can be put in: in a link, a field, an equation, a diagram, '
                "WordArt or an alternative text. Write it as text."
            )


def _beyond(package: Package) -> Iterator[str]:
    for name in package.stories():
        for element in package.tree(name).iter(etree.Element):
            yield from (value for key, value in element.items() if etree.QName(key).localname in SHOWN)
            if element.tag != T and element.text:
                yield element.text
    for name, content in package.parts.items():
        if name.endswith(".rels") or name.startswith(DRAWN):
            yield unquote(content.decode("utf-8", "replace"))
