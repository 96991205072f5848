"""Writes the number of a paragraph as text, where LibreOffice counts otherwise than Word.

It knows neither legal numbers (Article IV with 4.1) nor levels that go on.
"""

import copy
from collections.abc import Iterable

from lxml import etree

from pipeline.documents.authored.marks import R, T
from pipeline.documents.authored.numbering.numbers import Label
from pipeline.documents.authored.package import W
from pipeline.documents.authored.styles import VALUE, Styles

# Names of older files.
SIDES = {"start": "left", "end": "right"}


def spell(paragraph: etree._Element, label: Label, styles: Styles) -> None:
    """Writes the number, with the indents and letters of its level."""
    level = label.about
    properties = paragraph.find(f"{W}pPr")
    if level is None:
        return
    if properties is None:
        properties = etree.Element(f"{W}pPr")
        paragraph.insert(0, properties)
    direct = properties.find(f"{W}numPr")
    indents = [style.find(f"{W}pPr/{W}ind") for style in reversed(styles.of(paragraph))]
    indents.insert(len(indents) if direct is not None else 0, level.find(f"{W}pPr/{W}ind"))
    found = _merged([*indents, properties.find(f"{W}ind")])
    for one in [*properties.iterchildren(f"{W}numPr", f"{W}ind")]:
        properties.remove(one)
    place = len(properties.findall(f"{W}pStyle"))
    ended = etree.Element(f"{W}numPr")
    etree.SubElement(ended, f"{W}numId", {VALUE: "0"})
    properties[place:place] = [ended, etree.Element(f"{W}ind", found)]
    paragraph.insert(paragraph.index(properties) + 1, _run(label.text, level, properties.find(f"{W}rPr")))


def _merged(indents: Iterable[etree._Element | None]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in indents:
        for name, value in ({} if one is None else one.attrib).items():
            local = etree.QName(name).localname
            if local in ("hanging", "firstLine"):
                found = {key: kept for key, kept in found.items() if key not in (f"{W}hanging", f"{W}firstLine")}
            found[f"{W}{SIDES.get(local, local)}"] = value
    return found


def _run(words: str, level: etree._Element, mark: etree._Element | None) -> etree._Element:
    run = etree.Element(R)
    letters = {one.tag: one for given in (mark, level.find(f"{W}rPr")) if given is not None for one in given}
    etree.SubElement(run, f"{W}rPr").extend(copy.deepcopy(list(letters.values())))
    etree.SubElement(run, T).text = words
    suffix = level.find(f"{W}suff")
    kind = "tab" if suffix is None else suffix.get(VALUE)
    if kind == "tab":
        etree.SubElement(run, f"{W}tab")
    elif kind == "space":
        run[-1].text = f"{words}\u00a0"
    return run
