"""References to clauses, and the table of contents."""

from lxml import etree

from pipeline.documents.clauses import item_of, label_of, number_of
from pipeline.documents.subset import take_out

HEADINGS = etree.XPath("following::*[self::h1 or self::h2 or self::h3][not(ancestor::table)]")
CONTENTS = etree.XPath(".//div[contains(concat(' ', @class, ' '), ' contents ')]")
IDENTIFIED = etree.XPath(".//*[@id]")


def numbers(root: etree._Element) -> dict[str, str | None]:
    """{id: number such as `2.1(a)`, or None}."""
    found: dict[str, str | None] = {}
    for element in IDENTIFIED(root):
        found.setdefault(element.get("id"), number_of(item_of(element)))
    return found


def settle(root: etree._Element) -> None:
    """Links references to numbered paragraphs, and the first table of contents to headings."""
    names, lost = _settle_targets(root), []
    for element in root.iter("a"):
        if name := element.attrib.pop("data-ref", None):
            if name in names:
                element.set("class", "reference")
                element.set("href", f"#{names[name]}")
            else:
                lost.append(element)
    take_out(root, lost)
    for place, element in enumerate(CONTENTS(root)):
        del element[:]
        element.text = None
        if not place:
            _list_headings(element)


def _settle_targets(root: etree._Element) -> dict[str, str]:
    names = {}
    for element in IDENTIFIED(root):
        name = element.attrib.pop("id")
        if name not in names:
            item = item_of(element)
            target = element if item is None else item[0]
            names[name] = target.get("id", name)
            target.set("id", names[name])
    return names


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
