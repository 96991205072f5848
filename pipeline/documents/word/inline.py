"""Text inside a paragraph."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple, Self

from lxml import etree

from pipeline.documents import content as contents
from pipeline.documents import references
from pipeline.documents.characters.scripts import stretches
from pipeline.documents.document import language_tag
from pipeline.documents.styles import style_of
from pipeline.documents.word.xml import add, add_text

BREAK = None
# Stands for a picture, as in Unicode.
OBJECT = "\ufffc"
LINE_END = "\n"
# HTML's whitespace, without the no-break space.
_SPACES = re.compile("[ \t\r\n\f]+")
# Signs that also exist in colour; in a colour font, LibreOffice's PDF lacks them.
_SIGNS = re.compile(
    "([\u2190-\u21ff\u2300-\u2319\u231c-\u23ce\u25a0-\u25fc\u2600-\u2613\u2616-\u2647\u2654-\u267e\u2680-\u2692"
    "\u2694-\u26a0\u2701-\u2704\u2706-\u2709\u270c-\u2727\u2729-\u274b\u2756\u2758-\u2794\u2798-\u27af](?!\ufe0f))+"
)
_SIGNS_FONT = "DejaVu Sans"
_OF_TAGS: dict[str, dict[str, Any]] = {
    "strong": {"bold": True},
    "b": {"bold": True},
    "th": {"bold": True},
    "em": {"italic": True},
    "i": {"italic": True},
    "u": {"underline": True},
    "s": {"strike": True},
    "sub": {"vertical": "subscript"},
    "sup": {"vertical": "superscript"},
}


class Format(NamedTuple):
    """A run's format; None inherits."""

    bold: bool | None = None
    italic: bool | None = None
    underline: bool = False
    strike: bool = False
    small: bool = False
    vertical: str | None = None
    definition: bool = False
    link: str | None = None
    target: str | None = None
    language: str | None = None
    picture: etree._Element | None = None

    def inside(self, element: etree._Element) -> Self:
        changed = _changed(element)
        if not element.get("style"):
            return self._replace(**changed) if changed else self
        style = style_of(element)
        if "font-weight" in style:
            changed["bold"] = style["font-weight"] == "bold"
        if "font-style" in style:
            changed["italic"] = style["font-style"] == "italic"
        if "vertical-align" in style and element.tag == "span":
            changed["vertical"] = {"sub": "subscript", "super": "superscript"}.get(style["vertical-align"])
        if "font-variant" in style:
            changed["small"] = style["font-variant"] == "small-caps"
        decoration = style.get("text-decoration", "")
        if "underline" in decoration:
            changed["underline"] = True
        if "line-through" in decoration:
            changed["strike"] = True
        return self._replace(**changed)

    def write(self, run: etree._Element, script: str | None = None, font: str = "") -> None:
        """Appends the properties in schema order; `script` is rtl, cs or None."""
        if self == Format() and not script and not font:
            return
        properties = add(run, "rPr")
        outside = self.link and self.link.partition("#")[0] not in _FIELDS
        if self.definition or outside:
            add(properties, "rStyle", val="DefinedTerm" if self.definition else "Hyperlink")
        if font:
            add(properties, "rFonts", ascii=font, hAnsi=font, eastAsia=font, cs=font)
        self._write_weight(properties, script)
        if self.small:
            add(properties, "smallCaps")
        if self.strike:
            add(properties, "strike")
        if self.underline:
            add(properties, "u", val="single")
        if self.vertical:
            add(properties, "vertAlign", val=self.vertical)
        if script:
            add(properties, script)
        if self.language:
            add(properties, "lang", val=self.language, eastAsia=self.language, bidi=self.language)

    def _write_weight(self, properties: etree._Element, script: str | None) -> None:
        for name, value in (("b", self.bold), ("i", self.italic)):
            if value is not None:
                add(properties, name, val=int(value))
                if script:
                    add(properties, f"{name}Cs", val=int(value))


def _changed(element: etree._Element) -> dict[str, Any]:
    """The format that an element has without a style."""
    changed = dict(_OF_TAGS.get(element.tag, {}))
    if contents.has_class(element, "definition"):
        changed["definition"] = True
    if element.tag == "a":
        changed["link"] = element.get("data-field", "") + element.get("href")
    if element.tag == "span" and element.get("id"):
        changed["target"] = element.get("id")
    if element.get("lang"):
        changed["language"] = language_tag(element.get("lang"))
    return changed


# {kind of a reference: its field}; Word counts paragraphs itself.
_FIELDS = {
    references.PARAGRAPH: "REF {} \\w \\h",
    references.TEXT: "REF {} \\h",
    references.PLACE: 'HYPERLINK \\l "{}"',
}
# (text, format), or BREAK.
Piece = tuple[str, Format] | None


class ParagraphPieces:
    """Collects a paragraph's pieces."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []

    def text(self, text: str | None, form: Format) -> None:
        if text:
            self.pieces.append((_SPACES.sub(" ", text), form))

    def picture(self, run: etree._Element, form: Format) -> None:
        """Appends a run with a picture."""
        self.pieces.append((OBJECT, form._replace(picture=run)))

    def tab(self, form: Format) -> None:
        self.pieces.append(("\t", form))

    def take(self) -> list[Piece]:
        """Returns the pieces with whitespace collapsed, and empties the line."""
        pieces: list[Piece] = []
        at_start = True
        for piece in self.pieces:
            if piece is None:
                _strip_end(pieces)
                pieces.append(BREAK)
                at_start = True
                continue
            text, form = piece
            text = text.removeprefix(" ") if at_start else text
            if text:
                pieces.append((text, form))
                at_start = text.endswith((" ", "\t"))
        self.pieces = []
        _strip_end(pieces)
        if pieces and pieces[-1] is BREAK:  # the last break has no effect
            pieces.pop()
        return pieces


def _strip_end(pieces: list[Piece]) -> None:
    if pieces and (last := pieces[-1]) is not None and last[0].endswith(" "):
        text, form = last
        pieces.pop()
        if text := text.removesuffix(" "):
            pieces.append((text, form))


def write_runs(paragraph: etree._Element, pieces: list[Piece], direction: str) -> None:
    """Appends runs; links become fields, without relationships."""
    for (link, target), parts in groupby(_runs(pieces, direction), lambda run: (run[1].link, run[1].target)):
        parent = add(paragraph, "fldSimple", instr=_instruction(link)) if link else paragraph
        if target:
            add(paragraph, "bookmarkStart", id=0, name=bookmark(target))
        for text, form, script in parts:
            if form.picture is not None:
                parent.append(form.picture)
            elif text == LINE_END:
                add(add(parent, "r"), "br")
            else:
                _write_run(parent, text, form, script)
        if target:
            add(paragraph, "bookmarkEnd", id=0)


def _runs(pieces: list[Piece], direction: str) -> Iterator[tuple[str, Format, str | None]]:
    pairs = [piece or (LINE_END, Format()) for piece in pieces]
    parts, rest = iter(stretches("".join(text for text, _form in pairs), direction)), 0
    script: str | None = None
    for text, form in pairs:
        while text:
            if not rest:
                script, stretch = next(parts)
                rest = len(stretch)
            part, text = text[:rest], text[rest:]
            rest -= len(part)
            yield part, form, script


def bookmark(link: str) -> str:
    """A target's bookmark name; Word hides names with a leading underscore."""
    return "_" + link.removeprefix("#").replace("-", "_")


def _instruction(link: str) -> str:
    kind, inside, target = link.partition("#")
    return _FIELDS[kind].format(bookmark(target)) if kind in _FIELDS and inside else f'HYPERLINK "{link}"'


def write_text(parent: etree._Element, text: str, form: Format, direction: str) -> None:
    """Appends a run per script."""
    for script, stretch in stretches(text, direction):
        _write_run(parent, stretch, form, script)


def _write_run(parent: etree._Element, text: str, form: Format, script: str | None) -> None:
    position = 0
    for signs in _SIGNS.finditer(text):
        _write_part(parent, text[position : signs.start()], form, script)
        _write_part(parent, signs[0], form, script, _SIGNS_FONT)
        position = signs.end()
    _write_part(parent, text[position:], form, script)


def _write_part(parent: etree._Element, text: str, form: Format, script: str | None, font: str = "") -> None:
    if not text:
        return
    run = add(parent, "r")
    form.write(run, script, font)
    for position, part in enumerate(text.split("\t")):
        if position:
            add(run, "tab")
        add_text(run, part)
