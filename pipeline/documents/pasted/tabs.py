"""Prints tabs as columns: a table without borders, or a blank where a line is drawn under the tab."""

import copy
import re

from lxml import etree

from pipeline.documents.document import BLANK
from pipeline.documents.pasted.reading import LOOSE, TAB, classes, declared, slots, text_of

_COUNT = re.compile(r"([0-9]{1,2})")
# A tab that LibreOffice writes as it is; those that begin a line of the source indent it.
_TYPED = re.compile(r"(?<!\s)\t+(?=\S)|(?<=\S)\t+$")
_CONTENTS = re.compile(r"msotoc[0-9]?|toc[0-9]?")
_SPACE = "\u2003"
MAX_TABS = 8


def mark(body: etree._Element) -> None:
    """Writes each tab as TAB."""
    for element in body.iter("span"):
        style = declared(element)
        if (count := _COUNT.match(style.get("mso-tab-count", ""))) and not text_of(element).strip():
            del element[:]
            element.text = TAB * min(int(count[1]), MAX_TABS)
        elif "apple-tab-span" in classes(element) or style.get("white-space", "") == "pre":
            element.text = (element.text or "").replace("\t", TAB)
    for element, place in slots(body):
        text = getattr(element, place)
        if text and "\t" in text:
            setattr(element, place, _TYPED.sub(lambda found: TAB * min(len(found[0]), MAX_TABS), text))


def settle(body: etree._Element) -> None:
    """Replaces every TAB."""
    if not any(TAB in (getattr(element, place) or "") for element, place in slots(body)):
        return
    _draw_blanks(body)
    for paragraph in list(body.iter("p")):
        if paragraph.getparent() is not None:
            _part(paragraph)
    for element, place in slots(body):
        if text := getattr(element, place):
            setattr(element, place, text.replace(TAB, _SPACE))


def _draw_blanks(body: etree._Element) -> None:
    """Tabs with a line under them are lines to write on."""
    for element in list(body.iter("u", "span")):
        is_line = element.tag == "u" or "underline" in declared(element).get("text-decoration", "")
        if is_line and TAB in (text := text_of(element)) and not text.replace(TAB, "").strip():
            del element[:]
            element.tag, element.text = "span", BLANK
            element.set("class", "blank")
            element.attrib.pop("style", None)


def _part(paragraph: etree._Element) -> None:
    """Puts a paragraph and those after it with as many tabs into one table."""
    count = _columns(paragraph)
    if not count:
        return
    rows = [paragraph]
    for following in paragraph.itersiblings():
        if following.tag != "p" or _columns(following) != count or (rows[-1].tail or "").strip():
            break
        rows.append(following)
    table = etree.Element("table", {"style": "border:none"})
    paragraph.addprevious(table)
    table.tail, rows[-1].tail = rows[-1].tail, None
    for row in rows:
        row.getparent().remove(row)
        line = etree.SubElement(table, "tr")
        for place in range(count + 1):
            etree.SubElement(line, "td").append(_piece(row, place))


def _columns(paragraph: etree._Element) -> int:
    """The tabs between the words of a paragraph; 0 for one that stays a paragraph."""
    if any(one.tag in ("li", "td", "th") for one in paragraph.iterancestors()):
        return 0
    text = text_of(paragraph).strip(f"{TAB} \u00a0\n")
    count = len(re.findall(f"{TAB}+", text))
    is_contents = any(_CONTENTS.fullmatch(name) for name in classes(paragraph))
    is_plain = paragraph.find(".//br") is None and "marked" not in paragraph.get("class", "")
    return count if is_plain and not is_contents and count <= MAX_TABS else 0


def _piece(paragraph: etree._Element, wanted: int) -> etree._Element:
    """A copy with the text between two tabs."""
    made = copy.deepcopy(paragraph)
    made.tail, place, has_begun = None, 0, False
    for element, name in slots(made):
        kept = ""
        for part in re.split(f"({TAB}+)", getattr(element, name) or ""):
            if part.startswith(TAB):
                place += has_begun
            else:
                has_begun = has_begun or bool(part.strip(" \u00a0\n"))
                kept += part if place == wanted else ""
        setattr(element, name, kept or None)
    for element in [one for one in made.iterdescendants() if one.tag != "br" and not text_of(one)]:
        element.tag = LOOSE
    etree.strip_tags(made, LOOSE)
    return made
