"""Comments, hidden text and tracked changes: refused, or removed."""

from collections.abc import Iterable

from lxml import etree

from .marks import TR, P, R
from .package import RELATION, TYPES, Package, Refused, W, part_named, relations_of
from .styles import Styles, is_on

COMMENTS = ("commentRangeStart", "commentRangeEnd", "commentReference", "annotationRef")
COMMENT_PARTS = ("comments", "commentsExtended", "commentsIds", "commentsExtensible")
TAKEN_OUT = ("del", "moveFrom", "cellDel")
KEPT = ("ins", "moveTo")
RANGES = ("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd")
FORMATS = (
    *("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tblPrExChange", "tblGridChange"),
    *("trPrChange", "tcPrChange", "numberingChange", "cellIns", "cellMerge"),
)
TOLD = {
    "removed_comments": ("comments", "The comments of the file are removed"),
    "removed_hidden_text": ("hidden text", "Hidden text of the file is removed"),
    "accepted_revisions": ("tracked changes", "The tracked changes of the file are accepted"),
}
ADVICE = "Remove them in Word, or send strip=true to remove hidden text and comments and to accept changes."


def check(package: Package, strip: bool) -> list[dict[str, str]]:
    """Warnings of what is removed; raises Refused for what would be, unless `strip`."""
    roots = [package.tree(name) for name in package.stories()]
    styles = Styles(package)
    found = {
        "removed_comments": _tagged(roots, COMMENTS),
        "removed_hidden_text": [one for root in roots for one in root.iter(R, P) if _is_hidden(one, styles)],
        "accepted_revisions": _tagged(roots, (*TAKEN_OUT, *KEPT, *RANGES, *FORMATS)),
    }
    counts = {code: len(elements) for code, elements in found.items() if elements}
    if not counts:
        for name in list(package.trees):
            package.forget(name)
        return []
    if not strip:
        named = " and ".join(TOLD[code][0] for code in counts)
        raise Refused(f"The file has {named}. {ADVICE}")
    for elements in found["removed_hidden_text"], found["removed_comments"]:
        for element in elements:
            _take_out(element)
    for root in roots:
        _accept(root)
    if "removed_comments" in counts:
        _drop_comments(package)
    return [{"code": code, "message": f"{TOLD[code][1]}: {_places(number)}."} for code, number in counts.items()]


def _places(number: int) -> str:
    return "1 place" if number == 1 else f"{number} places"


def _tagged(roots: Iterable[etree._Element], names: Iterable[str]) -> list[etree._Element]:
    tags = [f"{W}{name}" for name in names]
    return [element for root in roots for element in root.iter(*tags)]


def _is_hidden(element: etree._Element, styles: Styles) -> bool:
    """Whether a run, or the mark of an otherwise empty paragraph, is hidden by itself or its style."""
    kind = "r" if element.tag == R else "p"
    own = element.find(f"{W}rPr/{W}vanish" if kind == "r" else f"{W}pPr/{W}rPr/{W}vanish")
    if kind == "p":
        return is_on(own) and element.find(f".//{R}") is None
    if own is not None:
        return is_on(own)
    paragraph = next(element.iterancestors(P), None)
    named = [element.find(f"{W}rPr/{W}rStyle")]
    named += [] if paragraph is None else [paragraph.find(f"{W}pPr/{W}pStyle")]
    return any(is_on(style.find(f"{W}rPr/{W}vanish")) for one in named for style in styles.chain(one))


def _accept(root: etree._Element) -> None:
    for row in list(root.iter(TR)):
        if row.find(f"{W}trPr/{W}del") is not None:
            _take_out(row)
    for paragraph in list(root.iter(P)):
        if (
            paragraph.find(f"{W}pPr/{W}rPr/{W}del") is not None
            or paragraph.find(f"{W}pPr/{W}rPr/{W}moveFrom") is not None
        ):
            _join_next(paragraph)
    for name in (*TAKEN_OUT, *RANGES, *FORMATS):
        for element in list(root.iter(f"{W}{name}")):
            _take_out(element)
    for name in KEPT:
        for element in list(root.iter(f"{W}{name}")):
            for child in list(element):
                element.addprevious(child)
            _take_out(element)


def _join_next(paragraph: etree._Element) -> None:
    """A paragraph whose mark is deleted begins the next one."""
    following = paragraph.getnext()
    if following is None or following.tag != P:
        return
    place = 1 if following.find(f"{W}pPr") is not None else 0
    for child in reversed([one for one in paragraph if one.tag != f"{W}pPr"]):
        following.insert(place, child)
    _take_out(paragraph)


def _take_out(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _drop_comments(package: Package) -> None:
    relations = package.relations()
    gone = []
    for relation in [] if relations is None else list(relations.findall(RELATION)):
        if relation.get("Type", "").rpartition("/")[2] in COMMENT_PARTS:
            gone.append(part_named(relation.get("Target", "")))
            _take_out(relation)
    for override in list(package.tree(TYPES)):
        if override.get("PartName", "").lstrip("/") in gone:
            _take_out(override)
    for name in gone:
        package.parts.pop(name, None)
        package.parts.pop(relations_of(name), None)
        package.forget(name)
