"""Prints numbers, references and notes of a filled Word file as text, in the file and in its reading copy."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from lxml import etree

from pipeline.documents.authored import fields, marks
from pipeline.documents.authored.entries import entries
from pipeline.documents.authored.fields import Field, fields_of
from pipeline.documents.authored.marks import BOOKMARKS, P, R, T
from pipeline.documents.authored.numbering.numbers import LEVELS, Label, Numbers
from pipeline.documents.authored.numbering.spelling import spell
from pipeline.documents.authored.package import RELATION, Package, W, part_named
from pipeline.documents.authored.package import R as RELATED
from pipeline.documents.authored.reading import blocks
from pipeline.documents.authored.styles import Styles, is_on
from pipeline.documents.clauses import counted

NAME, ID = f"{W}name", f"{W}id"
FORMATS = {"ROMAN": "upperRoman", "roman": "lowerRoman", "ALPHABETIC": "upperLetter", "alphabetic": "lowerLetter"}
NOTES = {f"{W}footnoteReference": ("footnotes", "decimal"), f"{W}endnoteReference": ("endnotes", "lowerRoman")}
OWN_MARKS, CUSTOM = (f"{W}footnoteRef", f"{W}endnoteRef"), f"{W}customMarkFollows"
CASES = {"upper": str.upper, "lower": str.lower, "caps": str.title}
# The numbers of pages.
UNKNOWN = "…"
TEXT = re.compile("<[^>]*>|\\s")


class Print:
    """One filled file."""

    def __init__(self, file: bytes, language: str) -> None:
        self.file, self.package = file, Package(file)
        # The names of changed stories.
        self.changed: set[str] = set()
        self.styles = Styles(self.package)
        self.stories = {name: self.package.tree(name) for name in self.package.stories()}
        numbers = Numbers(self.package, self.styles, language)
        self.labels: dict[etree._Element, Label] = {}
        for story in self.stories.values():
            for paragraph in _paragraphs(story):
                if label := numbers.label(paragraph):
                    self.labels[paragraph] = label
        self.bookmarks = {
            one.get(NAME, "").lower(): one for story in self.stories.values() for one in story.iter(BOOKMARKS[0])
        }
        self.notes = self._notes()

    def settle(self) -> None:
        """Shows present references and counts; drops entries of contents without a heading in the contract."""
        for name, story in self.stories.items():
            found = fields_of(story)
            before = [one.text for one in found]
            gone = [one for one in entries(found) if one.place and one.place.lower() not in self.bookmarks]
            for entry in gone:
                entry.drop()
            counts: Counter[str] = Counter()
            for kinds in (("SEQ",), ("REF", "NOTEREF")):
                for one in found:
                    if one.kind in kinds:
                        self._settle(one, counts)
            if gone or [one.text for one in found] != before:
                marks.follow_copies(story)
                self.changed.add(name)

    def fix(self) -> None:
        """Makes the file LibreOffice's, with text where that would show other things than Word."""
        self._fix()
        for paragraph, label in self.labels.items():
            spell(paragraph, label, self.styles)
        for name, story in self.stories.items():
            marks.follow_copies(story)
            self.changed.add(name)

    def pack(self) -> bytes:
        """The file; parts that nothing changed are the same bytes."""
        if not self.changed:
            return self.file
        for name in [one for one in self.package.trees if one not in self.changed]:
            self.package.forget(name)
        return self.package.pack()

    def _fix(self) -> None:
        """Leaves the fields whose numbers of pages LibreOffice counts; in contents, it would show the author's."""
        for story in self.stories.values():
            for entry in entries(fields_of(story)):
                if entry.place.lower() in self.bookmarks:
                    entry.renew_page()
            for one in fields_of(story):
                if not self._is_left(one):
                    one.fix()

    def _is_left(self, one: Field) -> bool:
        if one.kind == "PAGEREF":
            return one.argument.lower() in self.bookmarks
        return one.kind in fields.PAGES | fields.LEFT

    def copy(self) -> str:
        """HTML of all that the file prints."""
        self._fix()
        for story in self.stories.values():
            for one in fields_of(story):
                if one.kind in fields.PAGES:
                    one.show(UNKNOWN)
            for reference in list(story.iter(*NOTES)):
                number = self.notes.get((NOTES[reference.tag][0], reference.get(ID, "")))
                if number:
                    _put(reference, number, raised=True)
            for symbol in list(story.iter(f"{W}sym")):
                _put(symbol, _sign(symbol.get(f"{W}char", "")))
        for paragraph, label in self.labels.items():
            if label.text:
                _begin(paragraph, f"{label.text} ")
        return "".join([*self._sections(), *self._printed_notes()])

    def _settle(self, one: Field, counts: Counter[str]) -> None:
        switches = one.switches
        if one.kind == "SEQ":
            if "s" not in switches:
                self._count(one, switches, counts)
            return
        start = self.bookmarks.get(one.argument.lower())
        if start is None or switches.keys() & {"p", "d", "t", "f"}:
            return
        paragraph = _paragraph_at(start)
        if one.kind == "NOTEREF":
            inside = [] if paragraph is None else [note for note in _marked(paragraph, start) if note.tag in NOTES]
            words = self.notes.get((NOTES[inside[0].tag][0], inside[0].get(ID, ""))) if inside else None
        elif switches.keys() & {"n", "r", "w"}:
            words = self._number(paragraph, one.place, switches)
        else:
            words = "" if paragraph is None else _words(paragraph, start)
            words = CASES.get(switches.get("*", "").split(" ")[0].lower(), str)(words)
        if words:
            one.show(words)

    def _number(
        self, paragraph: etree._Element | None, place: etree._Element, switches: Mapping[str, str]
    ) -> str | None:
        label = None if paragraph is None else self.labels.get(paragraph)
        if label is None:
            return None
        if "w" in switches:
            return label.below(0)
        return label.below(label.shared(self.labels.get(place)) if "r" in switches else LEVELS)

    @staticmethod
    def _count(one: Field, switches: Mapping[str, str], counts: Counter[str]) -> None:
        name = one.argument.lower()
        given = switches.get("r", "")
        if given.isdecimal():
            counts[name] = int(given)
        elif "c" not in switches:
            counts[name] += 1
        if "h" not in switches:
            one.show(counted(FORMATS.get(switches.get("*", "").split(" ")[0], "decimal"), counts[name]))

    def _notes(self) -> dict[tuple[str, str], str]:
        """{(part, id): number} in the order of their references."""
        settings = self.package.related("settings")
        found: dict[tuple[str, str], str] = {}
        counts: Counter[str] = Counter()
        for reference in self.stories[self.package.main].iter(*NOTES):
            kind, form = NOTES[reference.tag]
            if next(reference.iterancestors(marks.FALLBACK), None) is None and reference.get(CUSTOM) is None:
                about = None if settings is None else self.package.tree(settings).find(f"{W}{kind[:-1]}Pr")
                given = {} if about is None else {etree.QName(one).localname: one.get(f"{W}val", "") for one in about}
                start = int(given["numStart"]) if given.get("numStart", "").isdecimal() else 1
                found[kind, reference.get(ID, "")] = counted(given.get("numFmt", form), start + counts[kind])
                counts[kind] += 1
        return found

    def _sections(self) -> Iterator[str]:
        body = self.stories[self.package.main].find(f"{W}body")
        sections = list(_sections(body))
        margins = [*self._margins([properties for properties, _blocks in sections])]
        former: tuple[str, ...] = ()
        for place, ((headers, footers), (_properties, inside)) in enumerate(zip(margins, sections, strict=True)):
            if headers != former:
                yield from self._margin(headers, "{}<hr>")
            former = headers
            yield from blocks(inside, self.styles)
            if place + 1 == len(margins) or margins[place + 1][1] != footers:
                yield from self._margin(footers, "<hr>{}")

    def _margins(self, sections: list[etree._Element]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """(names of the headers, of the footers) that each section prints."""
        relations = self.package.relations()
        targets = (
            {} if relations is None else {one.get("Id"): one.get("Target", "") for one in relations.iter(RELATION)}
        )
        settings = self.package.related("settings")
        even = settings is not None and is_on(self.package.tree(settings).find(f"{W}evenAndOddHeaders"))
        given: dict[tuple[str, str], str] = {}
        for section in sections:
            for reference in section.iterchildren(f"{W}headerReference", f"{W}footerReference"):
                kind = etree.QName(reference).localname[:6]
                given[kind, reference.get(f"{W}type", "default")] = part_named(
                    targets.get(reference.get(f"{RELATED}id"), "")
                )
            first = is_on(section.find(f"{W}titlePg"))
            used = [*["first"] * first, "default", *["even"] * even]
            headers, footers = (
                tuple(dict.fromkeys(name for one in used if (name := given.get((kind, one)))))
                for kind in ("header", "footer")
            )
            yield headers, footers

    def _margin(self, names: tuple[str, ...], form: str) -> Iterator[str]:
        made = "".join(
            html for name in names for html in blocks(self.stories[name], self.styles) if name in self.stories
        )
        if TEXT.sub("", made).strip():
            yield form.format(f"<div>{made}</div>")

    def _printed_notes(self) -> Iterator[str]:
        for (kind, id), number in self.notes.items():
            story = self.stories.get(self.package.related(kind) or "")
            note = None if story is None else next((one for one in story if one.get(ID) == id), None)
            if note is not None:
                for mark in list(note.iter(*OWN_MARKS)):
                    _put(mark, number, raised=True)
                yield f"<div>{''.join(blocks(note, self.styles))}</div>"


def _paragraphs(story: etree._Element) -> Iterator[etree._Element]:
    for paragraph in story.iter(P):
        if next(paragraph.iterancestors(marks.FALLBACK), None) is None:
            yield paragraph


def _paragraph_at(bookmark: etree._Element) -> etree._Element | None:
    own = next(bookmark.iterancestors(P), None)
    return own if own is not None else next(bookmark.itersiblings(P), None)


def _marked(paragraph: etree._Element, start: etree._Element) -> list[etree._Element]:
    inside = [*paragraph.iter()]
    ends = [one for one in inside if one.tag == BOOKMARKS[1] and one.get(ID) == start.get(ID)]
    return inside[inside.index(start) : inside.index(ends[0])] if ends and start in inside else []


def _words(paragraph: etree._Element, start: etree._Element) -> str:
    shown = {*marks.pieces(paragraph)}
    found = [one for one in _marked(paragraph, start) if one in shown]
    return "".join(one.text or "" if one.tag == T else marks.SIGNS[one.tag] for one in found)


def _sections(body: etree._Element) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
    """(properties, blocks) of each section."""
    inside: list[etree._Element] = []
    for block in body:
        if block.tag == f"{W}sectPr":
            yield block, inside
            return
        inside.append(block)
        if (ended := block.find(f"{W}pPr/{W}sectPr")) is not None:
            yield ended, inside
            inside = []
    yield etree.Element(f"{W}sectPr"), inside


def _begin(paragraph: etree._Element, words: str) -> None:
    run = etree.Element(R)
    etree.SubElement(run, T).text = words
    paragraph.insert(1 if paragraph.find(f"{W}pPr") is not None else 0, run)


def _put(mark: etree._Element, words: str, raised: bool = False) -> None:
    text = etree.Element(T)
    text.text = words
    if raised:
        text.set(marks.RAISED, "")
    mark.getparent().replace(mark, text)


def _sign(code: str) -> str:
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
