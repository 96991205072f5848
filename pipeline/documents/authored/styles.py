"""The styles of an author's Word file."""

from lxml import etree

from .package import Package, W

VALUE, ID = f"{W}val", f"{W}styleId"
OFF = ("0", "false", "off", "none")


def is_on(element: etree._Element | None) -> bool:
    """Whether a toggle such as `<w:vanish/>` is there and not switched off."""
    return element is not None and element.get(VALUE, "1").lower() not in OFF


class Styles:
    """The styles by id."""

    def __init__(self, package: Package) -> None:
        name = package.related("styles")
        found = package.tree(name).iterfind(f"{W}style") if name else ()
        self.by_id = {style.get(ID): style for style in found}
        kinds = (style for style in self.by_id.values() if style.get(f"{W}type") == "paragraph")
        # Of paragraphs that name none.
        self.usual = next((style for style in kinds if style.get(f"{W}default", "0") in ("1", "true", "on")), None)

    def level(self, paragraph: etree._Element) -> int | None:
        """A heading's level from 1, or None."""
        own = paragraph.find(f"{W}pPr/{W}outlineLvl")
        styles = [] if own is not None else self.chain(paragraph.find(f"{W}pPr/{W}pStyle"))
        for element in [own, *(style.find(f"{W}pPr/{W}outlineLvl") for style in styles)]:
            if element is not None:
                value = element.get(VALUE, "")
                return int(value) + 1 if value.isdecimal() and int(value) < 9 else None
        return None

    def of(self, paragraph: etree._Element) -> list[etree._Element]:
        """A paragraph's style, and those that it is based on."""
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        return self.chain(named) if named is not None else [self.usual] * (self.usual is not None)

    def chain(self, named: etree._Element | None) -> list[etree._Element]:
        """The style of a `w:pStyle` or `w:rStyle`, and those that it is based on."""
        chain: list[etree._Element] = []
        while named is not None and len(chain) < 20:
            style = self.by_id.get(named.get(VALUE))
            if style is None:
                break
            chain.append(style)
            named = style.find(f"{W}basedOn")
        return chain

    def heading(self, level: int) -> str | None:
        """The id of a heading's paragraph style."""
        for id, style in self.by_id.items():
            name = style.find(f"{W}name")
            if name is not None and name.get(VALUE, "").lower() == f"heading {level}":
                return str(id)
        return None

    def table(self, used: etree._Element) -> str | None:
        """The id of the style of the first table in a document, or Word's grid, or None."""
        for properties in used.iter(f"{W}tblStyle"):
            if properties.get(VALUE) in self.by_id:
                return str(properties.get(VALUE))
        return next((str(id) for id in self.by_id if id == "TableGrid"), None)
