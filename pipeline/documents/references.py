"""References to clauses, schedules and rows, and the table of contents."""

from collections.abc import Container

from lxml import etree

from pipeline.documents.clauses import item_of, label_of, number_of
from pipeline.documents.subset import take_out

HEADINGS = etree.XPath("following::*[self::h1 or self::h2 or self::h3][not(ancestor::table)]")
CONTENTS = etree.XPath(".//div[contains(concat(' ', @class, ' '), ' contents ')]")
IDENTIFIED = etree.XPath(".//*[@id]")
SCHEDULES = etree.XPath(".//div[contains(concat(' ', @class, ' '), ' schedule ')]")
ROWS = etree.XPath("tr[td] | tbody/tr[td]")
HEADING = ("h1", "h2", "h3", "h4")
# The field of a reference in Word: a paragraph's number, a bookmarked text, or only a link.
PARAGRAPH, TEXT, PLACE = "", "text", "place"


def numbers(root: etree._Element) -> dict[str, str | None]:
    """{id: number such as `2.1(a)`, or None}."""
    found: dict[str, str | None] = {}
    counted = _counted(root)
    for element in IDENTIFIED(root):
        place = _place_of(element, counted)
        found.setdefault(element.get("id"), counted.get(place) or number_of(item_of(element)))
    return found


def _counted(root: etree._Element) -> dict[etree._Element | None, str]:
    """The number of each schedule, and of each row that is no head."""
    groups = [SCHEDULES(root), *map(ROWS, root.iter("table"))]
    return {element: str(number) for group in groups for number, element in enumerate(group, start=1)}


def _place_of(element: etree._Element, counted: Container[etree._Element]) -> etree._Element | None:
    """The schedule or row of an id on itself or on the schedule's heading."""
    place = element.getparent() if element.tag in HEADING else element
    return place if place in counted else None


def link_references(root: etree._Element) -> None:
    """Links references to numbered paragraphs, and the first table of contents to headings."""
    names, lost = _settle_targets(root), []
    for element in root.iter("a"):
        if name := element.attrib.pop("data-ref", None):
            if name in names:
                target, kind = names[name]
                element.set("class", "reference")
                element.set("href", f"#{target}")
                element.set("data-field", kind)
            else:
                lost.append(element)
    take_out(root, lost)
    for place, element in enumerate(CONTENTS(root)):
        del element[:]
        element.text = None
        if not place:
            _list_headings(element)


def _settle_targets(root: etree._Element) -> dict[str, tuple[str, str]]:
    """{id: (id in the document, field)}."""
    counted, names = _counted(root), dict[str, tuple[str, str]]()
    for element in IDENTIFIED(root):
        name = element.attrib.pop("id")
        if name not in names:
            target, kind = _target_of(element, name, _place_of(element, counted))
            names[name] = target.get("id", name), kind
            target.set("id", names[name][0])
    return names


def _target_of(element: etree._Element, name: str, place: etree._Element | None) -> tuple[etree._Element, str]:
    if place is None:
        item = item_of(element)
        return (element if item is None else item[0]), PARAGRAPH
    for reference in place.iter("a"):
        if reference.get("data-ref") == name:  # a schedule or row that prints its own number
            reference.tag = "span"
            del reference.attrib["data-ref"]
            return reference, TEXT
    begins = place.tag == "tr" or (len(place) and place[0].tag in HEADING and not (place.text or "").strip())
    return (place[0] if begins else place), PLACE


def _list_headings(contents: etree._Element) -> None:
    for number, heading in enumerate(HEADINGS(contents)):
        text = " ".join("".join(heading.itertext()).split())
        if not text or "title" in heading.get("class", "").split():
            continue
        item = heading.getparent()
        numbered = item.tag == "li" and item[0] is heading and item.getparent().tag == "ol"
        # Ids of templates have no underscore.
        heading.set("id", heading.get("id", f"heading_{number}"))
        entry = etree.SubElement(contents, "p", {"class": f"contents-{heading.tag[1]}"})
        link = etree.SubElement(entry, "a", {"href": f"#{heading.get('id')}"})
        link.text = f"{label_of(item)} {text}" if numbered else text
