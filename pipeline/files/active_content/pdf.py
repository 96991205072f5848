"""Finds active content in PDFs, their former revisions, and objects that only a repairing viewer finds."""

import io
import re
from collections.abc import Iterator
from typing import BinaryIO

import pikepdf

from .obstacles import Obstacle
from .pdf_rules import EVERYWHERE, KEYS, MARK, OUTSIDE, attachment, judge, judge_catalog

OPENING = ("/GoTo", "/Named")
RAW = re.compile(rb"/S\s*(" + "|".join(EVERYWHERE).encode() + rb")(?![0-9A-Za-z#])")
KEY = re.compile(rb"/(?:" + "|".join(name[1:] for name in KEYS).encode() + rb")(?![0-9A-Za-z#_.:-])|" + MARK)
REVISION = re.compile(rb"startxref\s{1,8}[1-9]\d{0,9}\s{1,8}%%EOF")
# Each signature appends one revision.
MAX_REVISIONS = 64
LONGEST_CHAIN = 100


def inspect(file: BinaryIO, _kind: str) -> str | None:
    """The obstacle or None; raises if unreadable."""
    data = file.read()
    if hidden := RAW.search(data):
        return EVERYWHERE[hidden[1].decode()]
    ends = [revision.end() for revision in REVISION.finditer(data)]
    if len(ends) > MAX_REVISIONS:
        return "more revisions than signatures make"
    try:
        with pikepdf.open(file) as pdf:
            _judge(pdf)
        for end in ends[:-1]:
            _judge_revision(data[:end])
    except pikepdf.PasswordError:
        return "a password, without which it cannot be read"
    except Obstacle as obstacle:
        return str(obstacle)
    return None


def _judge_revision(data: bytes) -> None:
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            _judge(pdf)
    except pikepdf.PdfError:
        return


def _judge(pdf: pikepdf.Pdf) -> None:
    judge_catalog(pdf.Root)
    _judge_opening(pdf.Root.get("/OpenAction"))
    # A trailer may hold a direct root object.
    for item in (pdf.trailer, *pdf.objects):
        for dictionary in _dictionaries(item):
            judge(dictionary)
    _judge_attachments(pdf.Root)
    if any("duplicated key" in str(warning) for warning in pdf.get_warnings()):
        raise Obstacle("an object that readers understand in two ways")


def _judge_opening(action: object) -> None:
    """At its opening a document may only show a place in it."""
    waiting = [action] if isinstance(action, pikepdf.Dictionary) else []
    for _turn in range(LONGEST_CHAIN):
        if not waiting:
            return
        action = waiting.pop()
        if action.get("/S") not in OPENING:
            raise Obstacle("an action that runs when it is opened")
        following: object = action.get("/Next")
        several = list(following) if isinstance(following, pikepdf.Array) else [following]
        waiting += [one for one in several if isinstance(one, pikepdf.Dictionary)]
    raise Obstacle("an action that runs when it is opened")


def _dictionaries(item: pikepdf.Object) -> Iterator[pikepdf.Dictionary]:
    """The direct dictionaries of an object with a checked key."""
    top = item.stream_dict if isinstance(item, pikepdf.Stream) else item
    if not isinstance(top, pikepdf.Dictionary | pikepdf.Array):
        return
    if isinstance(item, pikepdf.Stream) and "/F" in top:
        raise Obstacle(OUTSIDE)
    written = top.unparse(resolved=True)
    if not KEY.search(written):
        return
    if written.count(b"<<") == 1 and isinstance(top, pikepdf.Dictionary):
        yield top
        return
    waiting = [top]
    while waiting:
        container = waiting.pop()
        values = container.values() if isinstance(container, pikepdf.Dictionary) else container
        if isinstance(container, pikepdf.Dictionary):
            yield container
        waiting += [
            value for value in values if isinstance(value, pikepdf.Dictionary | pikepdf.Array) and not value.is_indirect
        ]


def _judge_attachments(root: pikepdf.Object) -> None:
    """Checks names that some readers show in place of the files' own."""
    names = root.get("/Names")
    tree = names.get("/EmbeddedFiles") if isinstance(names, pikepdf.Dictionary) else None
    waiting, seen = [tree], 0
    while waiting and seen < 10_000:
        node, seen = waiting.pop(), seen + 1
        if not isinstance(node, pikepdf.Dictionary):
            continue
        for name in list(node.get("/Names") or [])[::2]:
            attachment(name)
        waiting += list(node.get("/Kids") or [])
    if waiting:
        raise Obstacle("more attachments than a contract has")
