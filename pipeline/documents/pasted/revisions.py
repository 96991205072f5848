"""Accepts the open revisions of a pasted document."""

from collections.abc import Iterator

from lxml import etree

from pipeline.documents.pasted.reading import GONE, LOOSE, PasteChange, classes, drop

ACCEPTED = "accepted_revisions"
_INSERTED = frozenset(["msoins", "msomoveto", "trackchangetextinsertion"])
_DELETED = frozenset(["msodel", "msomovefrom", "trackchangetextdeletion"])
# CKEditor marks where a revision begins and ends: `deletion:id:author`.
_BEGIN, _END = "suggestion-start", "suggestion-end"
_BEFORE, _AFTER = "data-suggestion-start-before", "data-suggestion-end-after"


def accept(body: etree._Element) -> Iterator[PasteChange]:
    """Keeps what was inserted, removes what was deleted."""
    suggested = _suggested(body)
    inserted, deleted = _inserted(body), _deleted(body)
    for element in deleted:
        element.tag = GONE
    drop(body)
    for element in [*inserted, *body.iter(_BEGIN, _END)]:
        element.tag = LOOSE
    counts = [len(inserted) + suggested.count("insertion"), len(deleted) + suggested.count("deletion")]
    if any(counts):
        told = f"{_number(counts[0], 'insertion')} and {_number(counts[1], 'deletion')}"
        yield PasteChange(ACCEPTED, f"Open revisions are accepted: {told}")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _inserted(body: etree._Element) -> list[etree._Element]:
    return [one for one in body.iter("ins", "span") if one.tag == "ins" or _INSERTED.intersection(classes(one))]


def _deleted(body: etree._Element) -> list[etree._Element]:
    return [
        one
        for one in body.iter("del", "span", "s")
        if one.tag == "del" or "data-tracking-deleted" in one.attrib or _DELETED.intersection(classes(one))
    ]


def _suggested(body: etree._Element) -> list[str]:
    """The kinds of CKEditor's suggestions; the text of deletions goes."""
    kinds, open_deletions = list[str](), set[str]()
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if event == "start":
            begun = element.get("name", "") if element.tag == _BEGIN else element.get(_BEFORE, "")
            if begun:
                kinds.append(begun.partition(":")[0])
                open_deletions |= {begun} if kinds[-1] == "deletion" else set()
            if open_deletions:
                element.text = None
        else:
            ended = element.get("name", "") if element.tag == _END else element.get(_AFTER, "")
            open_deletions.discard(ended)
            if open_deletions and element is not body:
                element.tail = None
    return kinds
