"""Accepts the open revisions of a pasted document."""

from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted.reading import GONE, LOOSE, PasteChange, classes, drop

ACCEPTED = "accepted_revisions"
_INSERTED, _DELETED = frozenset(["msoins"]), frozenset(["msodel"])


def accept(body: etree._Element) -> Iterator[PasteChange]:
    """Keeps what was inserted, removes what was deleted."""
    inserted, deleted = _inserted(body), _deleted(body)
    for element in deleted:
        element.tag = GONE
    drop(body)
    for element in inserted:
        element.tag = LOOSE
    if inserted or deleted:
        told = f"{_number(inserted, 'insertion')} and {_number(deleted, 'deletion')}"
        yield PasteChange(ACCEPTED, f"Open revisions are accepted: {told}")


def _number(elements: list[etree._Element], noun: str) -> str:
    return f"{len(elements)} {noun}{'s' * (len(elements) != 1)}"


def _inserted(body: etree._Element) -> list[etree._Element]:
    return [one for one in body.iter("ins", "span") if one.tag == "ins" or _INSERTED.intersection(classes(one))]


def _deleted(body: etree._Element) -> list[etree._Element]:
    return [one for one in body.iter("del", "span") if one.tag == "del" or _DELETED.intersection(classes(one))]
