"""Fills an author's Word file with the values of a contract's HTML; everything else stays as the author has it."""

import copy
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping

from lxml import etree

from pipeline.documents import signatures
from pipeline.documents.authored import marks
from pipeline.documents.authored.blocks import Blocks
from pipeline.documents.authored.joining import joined, watermarked
from pipeline.documents.authored.marks import BOX, IFS, KIND, NUMBER, SCOPE, SPACE, TBL, TC, TR, P, T
from pipeline.documents.authored.numbering.printing import Print
from pipeline.documents.authored.package import Package, W
from pipeline.documents.document import COPY, PDF, Document
from pipeline.documents.pdf import IMAGE_URL
from pipeline.documents.subset import CONTRACT, WORD_MARK, parse

# {number: elements of the HTML}, in one repetition.
Answers = dict[str, list[etree._Element]]
# Elements that end with a paragraph.
HOLDERS = (TC, BOX, f"{W}hdr", f"{W}ftr", f"{W}footnote", f"{W}endnote", f"{W}sdtContent")
IDENTITIES = ("{http://schemas.microsoft.com/office/word/2010/wordml}paraId",)
# Word would show a control's data, or take its value for a placeholder.
BINDINGS = (f"{W}dataBinding", "{http://schemas.microsoft.com/office/word/2012/wordml}dataBinding", f"{W}showingPlcHdr")


def made(kind: str, document: Document) -> bytes:
    """The Word file of a Document with `files` as `docx`, as LibreOffice makes a `pdf` of it, or its `copy` as HTML.

    `content` has a schedule for each file after the first.
    """
    printed = Print(_joined(document), document.language)
    printed.settle()
    if kind == COPY:
        return printed.copy().encode()
    if kind == PDF:
        printed.fix()
    file = printed.pack()
    return watermarked(file, document) if document.watermark else file


def _joined(document: Document) -> bytes:
    root = parse(document.content, CONTRACT)
    signatures.fill(root, document.signatures)
    files = [b64decode(file) for file in document.files]
    images = {f"{IMAGE_URL}{number}": b64decode(image) for number, image in enumerate(document.images)}
    images |= {str(id): b64decode(picture) for id, picture in document.pictures}
    further = [one for one in root if "schedule" in one.get("class", "").split()]
    made = [_filled(files[0], [one for one in root if one not in further], images, document.language)]
    made += [_filled(file, [part], images, document.language) for file, part in zip(files[1:], further, strict=True)]
    return joined(made)


def _filled(data: bytes, content: Iterable[etree._Element], images: Mapping[str, bytes], language: str) -> bytes:
    package = Package(data)
    marks.mark(package)
    filler = _Filler(package, images, language)
    stories = package.stories()
    scopes = {one.get(NUMBER) for name in stories for one in package.tree(name).iter(SCOPE)}
    answers = _answers(content, scopes)
    for name in stories:
        story = package.tree(name)
        if not marks.is_marked(story):
            package.forget(name)
            continue
        filler.story(story, answers, scopes, name)
    for name in [one for one in package.trees if one not in stories and one not in filler.changed]:
        package.forget(name)
    return package.pack()


def _answers(elements: Iterable[etree._Element], scopes: Collection[str]) -> Answers:
    """The marked elements, without those inside scopes."""
    found: Answers = {}
    waiting = list(elements)[::-1]
    while waiting:
        element = waiting.pop()
        number = _number(element)
        if number:
            found.setdefault(number, []).append(element)
        if number not in scopes:
            waiting.extend(reversed(element))
    return found


def _number(element: etree._Element) -> str:
    names = (WORD_MARK.fullmatch(name) for name in element.get("class", "").split())
    return next((name[1] for name in names if name), "")


class _Filler:
    def __init__(self, package: Package, images: Mapping[str, bytes], language: str) -> None:
        self.blocks = Blocks(package, images, language)
        self.scopes: Collection[str] = ()
        self.name = ""

    @property
    def changed(self) -> Collection[str]:
        """The names of further parts that were changed."""
        return self.blocks.changed

    def story(self, story: etree._Element, answers: Answers, scopes: Collection[str], name: str) -> None:
        self.scopes, self.name = scopes, name
        self._fill([story], answers)
        marks.follow_copies(story)
        _join_texts(story)
        _settle(story)

    def _fill(self, nodes: Iterable[etree._Element], answers: Answers) -> None:
        nodes = list(nodes)
        for scope in [one for node in nodes for one in _outermost(node)]:
            self._fill_scope(scope, answers)
        for node in nodes:
            for paragraph in [*node.iter(P)]:
                if paragraph.get(marks.WHOLE):
                    self._fill_whole(paragraph, answers)
            for text in [*node.iter(T, *marks.SIGNS)]:
                self._fill_text(text, answers)

    def _fill_scope(self, scope: etree._Element, answers: Answers) -> None:
        found = answers.get(scope.get(NUMBER), [])
        originals = list(scope)
        if scope.get(KIND) != "each":
            found = found[:1]
        for position, element in enumerate(found):
            last = position == len(found) - 1
            children = originals if last else copy.deepcopy(originals)
            holder = etree.Element(SCOPE)
            scope.addprevious(holder)
            holder.extend(children)
            if position:
                _forget_identities(holder)
            self._fill(holder, _answers(element, self.scopes))
            _unwrap(holder)
        scope.getparent().remove(scope)

    def _fill_whole(self, paragraph: etree._Element, answers: Answers) -> None:
        """A paragraph that is a tag: its text, or blocks in its place."""
        number = paragraph.attrib.pop(marks.WHOLE)
        element = next(iter(answers.get(number, ())), None)
        if element is None or element.tag not in ("table", "div"):
            return
        made = self.blocks.written(element, paragraph, self.name)
        for one in made:
            paragraph.addprevious(one)
        for bookmark in paragraph.iter(*marks.BOOKMARKS):
            paragraph.addprevious(bookmark)
        if made and paragraph.find(f"{W}pPr/{W}sectPr") is None:
            paragraph.getparent().remove(paragraph)
        else:
            for piece in [*marks.pieces(paragraph)]:
                piece.getparent().remove(piece)

    def _fill_text(self, text: etree._Element, answers: Answers) -> None:
        conditions = text.attrib.pop(IFS, "").split()
        number = text.attrib.pop(NUMBER, None)
        for name in (KIND, marks.EXPRESSION):
            text.attrib.pop(name, None)
        if number or conditions:
            _unbind(text)
        if any(one not in answers for one in conditions):
            text.getparent().remove(text)
        elif number:
            element = next(iter(answers.get(number, ())), None)
            _write(text, "" if element is None else words_of(element))


def _unbind(text: etree._Element) -> None:
    for control in text.iterancestors(f"{W}sdt"):
        properties = control.find(f"{W}sdtPr")
        for one in [] if properties is None else list(properties.iterchildren(*BINDINGS)):
            properties.remove(one)


def words_of(element: etree._Element) -> str:
    """The text of an element, with a line end for each `br`."""
    return "".join("\n" * (one.tag == "br") + text for one, text in _texts(element))


def _texts(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    for event, one in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            yield one, one.text or ""
        elif one is not element and one.tail:
            yield element, one.tail


def _write(text: etree._Element, words: str) -> None:
    first, *others = words.split("\n")
    text.text = first
    last = text
    for line in others:
        end, following = etree.Element(f"{W}br"), etree.Element(T)
        following.text = line
        last.addnext(end)
        end.addnext(following)
        last = following
        following.set(marks.PART, "line")
    for one in text.getparent().iterchildren(T):
        _keep_spaces(one)


def _keep_spaces(text: etree._Element) -> None:
    words = text.text or ""
    if words != words.strip() or "  " in words:
        text.set(SPACE, "preserve")


def _outermost(node: etree._Element) -> Iterator[etree._Element]:
    for scope in node.iter(SCOPE):
        if scope is not node and next(_scopes_around(scope, node), None) is None:
            yield scope


def _scopes_around(scope: etree._Element, within: etree._Element) -> Iterator[etree._Element]:
    for ancestor in scope.iterancestors():
        if ancestor is within:
            return
        if ancestor.tag == SCOPE:
            yield ancestor


def _unwrap(holder: etree._Element) -> None:
    for child in list(holder):
        holder.addprevious(child)
    holder.getparent().remove(holder)


def _forget_identities(copied: etree._Element) -> None:
    """Bookmarks, and ids of paragraphs and controls, stand once in a file."""
    for bookmark in list(copied.iter(*marks.BOOKMARKS)):
        bookmark.getparent().remove(bookmark)
    for id in list(copied.iterfind(f".//{W}sdtPr/{W}id")):
        id.getparent().remove(id)
    for element in copied.iter():
        for name in IDENTITIES:
            element.attrib.pop(name, None)


def _join_texts(story: etree._Element) -> None:
    """Joins the texts that marks have parted."""
    for text in list(story.iter(T)):
        if text.attrib.pop(marks.PART, None) is None:
            continue
        before = text.getprevious()
        if before is not None and before.tag == T:
            before.text = (before.text or "") + (text.text or "")
            _keep_spaces(before)
            text.getparent().remove(text)


def _settle(story: etree._Element) -> None:
    """Removes what Word takes for damage: half bookmarks, tables without rows, cells without a last paragraph."""
    for name in ("numbers", KIND, marks.EXPRESSION):
        for paragraph in story.iter(P):
            paragraph.attrib.pop(name, None)
    starts, ends = ([*story.iter(tag)] for tag in marks.BOOKMARKS)
    both = {one.get(f"{W}id") for one in starts} & {one.get(f"{W}id") for one in ends}
    for one in [*starts, *ends]:
        if one.get(f"{W}id") not in both:
            one.getparent().remove(one)
    for table in list(story.iter(TBL)):
        if next(table.iter(TR), None) is None:
            table.getparent().remove(table)
        elif table.attrib.pop(marks.PART, None):
            _part_tables(table)
    for holder in list(story.iter(*HOLDERS)):
        _end_with_paragraph(holder)


def _part_tables(table: etree._Element) -> None:
    """Word joins tables without a paragraph between them."""
    before, following = table.getprevious(), table.getnext()
    if before is not None and before.tag == TBL:
        table.addprevious(etree.Element(P))
    if following is not None and following.tag == TBL:
        table.addnext(etree.Element(P))


def _end_with_paragraph(holder: etree._Element) -> None:
    blocks = [child for child in holder if isinstance(child.tag, str) and child.tag not in marks.BOOKMARKS]
    last = blocks[-1] if blocks else None
    if holder.tag == f"{W}sdtContent":
        if last is None:
            holder.append(etree.Element(P))
    elif last is None or last.tag == TBL or last.tag in (f"{W}tcPr",):
        if last is None:
            holder.insert(0, etree.Element(P))
        else:
            last.addnext(etree.Element(P))
