"""Reads HTML that was pasted from word processors and editors, so that it prints as it looked.

docs/pasted.md lists what is read. Stored content has nothing of it and stays the same.
"""

from lxml import etree

from pipeline.documents.pasted import (
    editors,
    fields,
    hidden,
    looks,
    revisions,
    sheets,
    symbols,
    tabs,
    web_lists,
    word_lists,
)
from pipeline.documents.pasted.editors import PLACEHOLDER
from pipeline.documents.pasted.reading import ATTRIBUTES, CONDITIONAL, ELEMENTS, LOOSE, PasteChange
from pipeline.documents.pasted.revisions import ACCEPTED

__all__ = ["ACCEPTED", "ATTRIBUTES", "ELEMENTS", "PLACEHOLDER", "PasteChange", "opened", "settle"]

# LibreOffice names itself at the beginning.
_OFFICE, _HEAD = "libreoffice", 4_000


def opened(source: str) -> str:
    """The source with what Word keeps in comments for its fields."""
    return CONDITIONAL.sub(r"\1", source) if "<!--[if" in source else source


def settle(body: etree._Element, source: str) -> list[PasteChange]:
    """Changes a parsed source in place; returns what an author should know."""
    sheets.apply(body, source)
    changes = [*hidden.remove(body), *fields.end(body), *revisions.accept(body)]
    changes += [*editors.settle(body), *symbols.replace(body)]
    tabs.mark(body)
    looks.settle(body)
    changes += [*word_lists.settle(body), *web_lists.settle(body, _OFFICE in source[:_HEAD].lower())]
    tabs.settle(body)
    etree.strip_tags(body, LOOSE, "font")
    return changes
