"""The rules for PDF dictionaries."""

import re
from collections.abc import Callable

import pikepdf

from .obstacles import LINKED, Obstacle, words

# Named actions that turn pages.
PAGES = ("/NextPage", "/PrevPage", "/FirstPage", "/LastPage")
# Includes addresses without a scheme.
ADDRESS = re.compile(r"\s*(?:https?:|mailto:|tel:|www\.[a-z0-9.-]+(?:[/?#]|$)|$)", re.I)
# Other dictionaries have these under /S too.
NO_ACTIONS = ("/Alpha", "/Luminosity", "/Transparency")
ACTIONS = {
    "/JavaScript": "JavaScript",
    "/Launch": "an action that starts a program",
    "/SubmitForm": "an action that sends data",
    "/ImportData": "an action that reads a file",
    "/GoToE": "an action that opens another file",
    "/GoToR": "an action that opens another file",
    "/Movie": "embedded media",
    "/Sound": "embedded media",
    "/Rendition": "embedded media",
    "/RichMediaExecute": "embedded media",
}
# Refused even if nothing refers to them.
EVERYWHERE = {name: words for name, words in ACTIONS.items() if name not in ("/Movie", "/Sound")}
ANNOTATIONS = frozenset(
    words(
        """
        /Text /Link /FreeText /Line /Square /Circle /Polygon /PolyLine /Highlight /Underline /Squiggly /StrikeOut /Stamp
        /Caret /Ink /Popup /Widget /FileAttachment /Watermark /Redact /PrinterMark /TrapNet /Projection
        """
    )
)
# Name trees of the catalog.
TREES = {"/Dests", "/AP", "/Pages", "/Templates", "/IDS", "/URLS", "/EmbeddedFiles"}
# Formats of invoices and signature logs, but no programs or documents.
ATTACHED = (".xml", ".txt", ".csv", ".json", ".png", ".jpg", ".jpeg")
EXTENSION = re.compile(r"\.[a-z][a-z0-9]{0,11}\s*$", re.I)
NAMES = ("/F", "/UF", "/DOS", "/Unix", "/Mac")
SCRIPT, FORM, MEDIA = "JavaScript", "a dynamic form (XFA)", "embedded media"
FILE = "an embedded file other than a text, data or an image"
OUTSIDE = "content that lies in another file"


def judge(item: pikepdf.Dictionary) -> None:
    """Raises Obstacle for active content."""
    keys = item.keys()
    for key in KEYS.keys() & keys:
        if (value := item.get(key)) is not None:
            KEYS[key](item, value)
    if "/Type" in keys:
        _typed(item, item.get("/Type"))


def judge_catalog(root: pikepdf.Object) -> None:
    """Checks name trees and base address."""
    trees, address = root.get("/Names"), root.get("/URI")
    for name in trees.keys() - TREES if isinstance(trees, pikepdf.Dictionary) else ():
        raise Obstacle(
            SCRIPT if name == "/JavaScript" else f"a tree of names that a contract does not need ({name[:40]})"
        )
    base = address.get("/Base") if isinstance(address, pikepdf.Dictionary) else None
    if base is not None and not re.match("https?:", str(base), re.I):
        raise Obstacle(LINKED)
    if "/Collection" in root:
        raise Obstacle("a portfolio of other files")


def attachment(name: object, must: bool = False) -> None:
    """Checks an attachment's name; `must` requires an extension."""
    text = str(name) if isinstance(name, pikepdf.String) else "."
    harmless = text.lower().endswith(ATTACHED) and text.isprintable()
    if not harmless and (must or EXTENSION.search(text) or not text.isprintable()):
        raise Obstacle(FILE)


def _action(action: object) -> None:
    if isinstance(action, pikepdf.Array):
        for one in action:
            _action(one)
    if not isinstance(action, pikepdf.Dictionary):
        return
    kind = action.get("/S")
    if kind is None or kind == "/GoTo" or kind == "/Named" and action.get("/N") in PAGES:
        return
    if kind != "/URI":
        raise Obstacle(ACTIONS.get(str(kind), f"an action that a contract does not need ({str(kind)[:40]})"))
    address = action.get("/URI")
    if not isinstance(address, pikepdf.String) or not ADDRESS.match(str(address)):
        raise Obstacle(LINKED)


def _annotation_kind(_item: pikepdf.Dictionary, kind: object) -> None:
    if str(kind) in EVERYWHERE:
        raise Obstacle(EVERYWHERE[str(kind)])


def _held_action(_item: pikepdf.Dictionary, action: object) -> None:
    _action(action)


def _triggers(_item: pikepdf.Dictionary, triggers: object) -> None:
    """Refuses actions of events; a font or state may also be called /AA."""
    for action in triggers.values() if isinstance(triggers, pikepdf.Dictionary) else ():
        kind = action.get("/S") if isinstance(action, pikepdf.Dictionary) else None
        if kind is not None and kind not in NO_ACTIONS:
            raise Obstacle("an action that runs by itself")


def _script(_item: pikepdf.Dictionary, value: object) -> None:
    if isinstance(value, pikepdf.String | pikepdf.Stream):
        raise Obstacle(SCRIPT)


def _embedded(item: pikepdf.Dictionary, files: object) -> None:
    if isinstance(files, pikepdf.Dictionary) and not files.keys():
        return
    names: list[object] = [item[key] for key in NAMES if key in item]
    for name in names or [None]:
        attachment(name, must=True)
    if "/RF" in item:
        raise Obstacle(FILE)


def _annotations(_page: pikepdf.Dictionary, annotations: object) -> None:
    for annotation in annotations if isinstance(annotations, pikepdf.Array) else ():
        if isinstance(annotation, pikepdf.Dictionary):
            _annotation(annotation)


def _annotation(item: pikepdf.Dictionary) -> None:
    kind = item.get("/Subtype")
    if kind is not None and str(kind) not in ANNOTATIONS:
        raise Obstacle(f"an annotation that a contract does not need ({str(kind)[:40]})")


def _typed(item: pikepdf.Dictionary, kind: object) -> None:
    if kind == "/Annot":
        _annotation(item)
    elif kind == "/Action":
        _action(item)


def _refuse(words: str) -> Callable[[pikepdf.Dictionary, object], None]:
    def refuse(_item: pikepdf.Dictionary, _value: object) -> None:
        raise Obstacle(words)

    return refuse


def _outside(_item: pikepdf.Dictionary, value: object) -> None:
    """Refuses outside files; as a name, the value is a file system."""
    if isinstance(value, pikepdf.String) or isinstance(value, pikepdf.Dictionary) and "/EF" not in value:
        raise Obstacle(OUTSIDE)


def _elsewhere(_item: pikepdf.Dictionary, value: object) -> None:
    if isinstance(value, pikepdf.Dictionary):
        raise Obstacle(OUTSIDE)


# Most types need no check.
MARK = rb"/Type /(?:Annot|Action)\b"
# {key: check}.
KEYS: dict[str, Callable[[pikepdf.Dictionary, object], None]] = {
    "/S": _annotation_kind,
    **dict.fromkeys(("/A", "/PA", "/NA", "/Next", "/OpenAction"), _held_action),
    "/AA": _triggers,
    "/JS": _script,
    "/OnInstantiate": _script,
    "/EF": _embedded,
    "/Annots": _annotations,
    "/FS": _outside,
    "/XFA": _refuse(FORM),
    **dict.fromkeys(("/RichMediaContent", "/RichMediaSettings"), _refuse(MEDIA)),
    **dict.fromkeys(("/Ref", "/OPI"), _elsewhere),
}
