"""Active content in a PDF: what would run or load when it is opened. Run by inspection.py, in a process of its own.

pikepdf (QPDF) reads the file as a viewer does: objects that are packed or encrypted with an empty password, names
written with escapes, tables of contents that later revisions replace. What no table names any more is not read by it,
and by a viewer only if it mends the file in another way; so the bytes themselves are searched, too.
"""

import re
from typing import BinaryIO

import pikepdf

ACTIONS = {
    b"JavaScript": "JavaScript",
    b"Launch": "an action that starts a program",
    b"SubmitForm": "an action that sends data",
    b"ImportData": "an action that reads a file",
    b"GoToE": "an action that opens another file",
    b"GoToR": "an action that opens another file",
    b"Movie": "embedded media",
    b"Rendition": "embedded media",
    b"RichMediaExecute": "embedded media",
}
KEYS = {
    b"JS": "JavaScript",
    b"AA": "an action that runs by itself",
    b"XFA": "a dynamic form (XFA)",
    b"RichMediaContent": "embedded media",
}
# Beside an invoice or a log of signatures; a program or a document of its own is no part of a signed copy.
ATTACHED = (".xml", ".txt", ".csv", ".json", ".png", ".jpg", ".jpeg")
_STRING = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>", re.S)
_ACTION = re.compile(rb"/S\s*/(" + b"|".join(ACTIONS) + rb")(?![0-9A-Za-z#])")
_KEY = re.compile(rb"/(" + b"|".join(KEYS) + rb")(?![0-9A-Za-z#_.:-])")


def found(file: BinaryIO) -> str | None:
    """What stands in the way in a PDF, or None. Raises for a file that cannot be read."""
    data = file.read()
    if hidden := _ACTION.search(data):
        return ACTIONS[hidden[1]]
    del data
    file.seek(0)
    try:
        with pikepdf.open(file) as pdf:
            return _opening(pdf.Root) or next(filter(None, map(_in_object, pdf.objects)), None)
    except pikepdf.PasswordError:
        return "a password, without which it cannot be read"


def _opening(root: pikepdf.Object) -> str | None:
    """An action at the opening of the document, other than to show a place in it."""
    action = root.get("/OpenAction")
    if isinstance(action, pikepdf.Dictionary) and action.get("/S") not in ("/GoTo", "/Named"):
        return "an action that runs when it is opened"
    return None


def _in_object(item: pikepdf.Object) -> str | None:
    if isinstance(item, pikepdf.Stream):
        if "/F" in item.stream_dict:
            return "content that lies in another file"
        item = item.stream_dict
    elif not isinstance(item, pikepdf.Dictionary | pikepdf.Array):
        return None
    # A text may say anything, so texts are left out.
    written = _STRING.sub(b"()", item.unparse(resolved=True))
    if (action := _ACTION.search(written)) is not None:
        return ACTIONS[action[1]]
    if (key := _KEY.search(written)) is not None:
        return KEYS[key[1]]
    if b"/EF" in written and isinstance(item, pikepdf.Dictionary) and not _harmless(item):
        return "an embedded file"
    return None


def _harmless(item: pikepdf.Object) -> bool:
    """Whether a file specification attaches a text or an image."""
    names = [str(item[key]) for key in ("/F", "/UF") if key in item]
    return bool(names) and "/EF" in item and all(name.lower().endswith(ATTACHED) for name in names)
