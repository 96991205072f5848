"""Makes a contract from its template: repeats, conditions, then tags."""

import copy
import functools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lxml import etree

from pipeline.contracts.merge import conditions
from pipeline.contracts.merge.catalogue import LINE, OWN, PAGE_TAGS, REPEATS, TAGS, Tag, TagValues, with_own
from pipeline.contracts.merge.clauses import Clauses
from pipeline.contracts.merge.runs import Run, Slot, runs
from pipeline.contracts.merge.sanitize import read_template
from pipeline.contracts.merge.tags import TagMatch, find
from pipeline.contracts.merge.targets import REFERENCES
from pipeline.contracts.merge.vacancies import vacate
from pipeline.contracts.merge.values import blocks
from pipeline.contracts.merge.values.filters import printed, style_of, typed
from pipeline.contracts.merge.values.insertion import inert, insert, pieces, printable
from pipeline.database import Row
from pipeline.documents.content import numbers
from pipeline.documents.document import BLANK
from pipeline.documents.subset import CLAUSE, CONTRACT, serialized

# Approximate characters of an element's markup.
ELEMENT = 20
REPEATED, CONDITIONAL = etree.XPath(".//*[@data-each]"), etree.XPath(".//*[@data-if]")


# An item's {field: value}.
Item = dict[str, Any]


class TooLarge(Exception):
    """The contract exceeds a size limit."""


class Resolved(NamedTuple):
    """HTML, plain margins (with page tags), and the tags without a value in order."""

    content: str
    margins: dict[str, str]
    unresolved_tags: list[str]


def resolve(
    content: str,
    margins: Mapping[str, str | None],
    values: TagValues,
    own: Iterable[Tag] = (),
    clauses: Mapping[str, Row] | None = None,
) -> Resolved:
    """Fills a checked template; `clauses` are rows of clause_contents by key.

    `values` is `{"Licensee": {field: value}, "Deal": …, "Quote": {…, "lines": [{field: value}]}, "Contract": …,
    "locale": {"currency": code, "locale": name, "direction": "ltr", "rtl" or None, "region": country or None}}`, with
    Decimal money. Raises TooLarge and TooComplex.
    """
    body = copy.deepcopy(read_template(content))
    filling = TemplateFiller(values, own)
    composed = filling.compose(body, clauses or {})
    filling.repeat(body)
    composed.unwrap(body)
    for run in list(runs(body)):
        filling.fill(run)
    etree.strip_attributes(body, "data-each")
    filled = {name: filling.margin(text or "") for name, text in margins.items()}
    result = serialized(body)
    references = REFERENCES(body)
    if references or composed.places:
        # Raises TooComplex for clauses that are too deep for their place.
        filling.number(references, numbers(result, str(filling.styles[""].locale)))
        result = serialized(body)
    if len(result) > CONTRACT.characters or sum(1 for _ in body.iterdescendants()) > CONTRACT.elements:
        raise TooLarge
    return Resolved(result, filled, list(dict.fromkeys(filling.unresolved)))


class TemplateFiller:
    """Fills one template, and collects tags without a value."""

    def __init__(self, values: TagValues, own: Iterable[Tag]) -> None:
        self.tags = with_own(own)
        self.values = values
        self.unresolved: list[str] = []
        self.items: dict[etree._Element, Item] = {}
        self.texts: dict[tuple[object, ...], str | None] = {}
        self.budget = CONTRACT.characters
        locale = values.get("locale") or {}
        self.styles = {
            entity: style_of(
                locale.get("locale"),
                (values.get(source) or {}).get("currency") or locale.get("currency"),
                locale.get("direction"),
                locale.get("region"),
            )
            for entity, source in (("Deal", "Deal"), ("Quote", "Quote"), (LINE, "Quote"), ("", ""))
        }

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`."""
        return self.styles[""].direction

    @functools.cached_property
    def lines_table(self) -> etree._Element:
        """The table of quote lines, built once."""
        return blocks.lines_table(self.values, self.styles["Quote"])

    def compose(self, body: etree._Element, rows: Mapping[str, Row]) -> Clauses:
        clauses = Clauses(rows, body)
        for element in clauses.places:
            key = element.get(CLAUSE)
            size = clauses.put(element)
            if size is None:
                element.append(blocks.blank())
                self.unresolved.append(f"clause {key}")
            self._spend(size or ELEMENT)
        return clauses

    def repeat(self, body: etree._Element) -> None:
        """Copies each data-each per item, and removes false conditions."""
        copies = 0
        for element in REPEATED(body):
            items = self._items(element.get("data-each"))
            copies += len(items) * sum(1 for _ in element.iter())
            if copies > CONTRACT.elements:
                raise TooLarge
            self._copy(element, items)
        vacant: list[etree._Element] = []
        for element in CONDITIONAL(body):
            scope = next((self.items[one] for one in [element, *element.iterancestors()] if one in self.items), None)
            condition, other = conditions.read(element.attrib.pop("data-if")), element.getnext()
            holds = condition.holds(functools.partial(self._value, item=scope))
            # Conditions inside a dropped element have no effect.
            alternative = other is not None and "data-else" in other.attrib
            if alternative and not holds:
                del other.attrib["data-else"]
            if alternative and holds:
                other.drop_tree()
            if not holds and not alternative and element.tag in ("td", "th"):
                vacant.append(element)
            elif not holds:
                element.drop_tree()
        vacate(body, vacant)

    def _items(self, name: str) -> list[Item]:
        items = self._value(name, None) if name in REPEATS else None
        records = (item if isinstance(item, dict) else {"name": item} for item in items or [])
        return [{**record, "position": number} for number, record in enumerate(records, start=1)]

    def _copy(self, element: etree._Element, items: list[Item]) -> None:
        original = copy.deepcopy(element)
        original.tail = None
        for item in items:
            one = copy.deepcopy(original)
            self.items[one] = item
            element.addprevious(one)
        element.drop_tree()

    def fill(self, run: Run) -> None:
        found = [one for one in find(run.text) if one.name in TAGS or (one.name or "").startswith(OWN)]
        item = self.items.get(run.scope)
        if len(found) == 1 and self._tag(found[0].name).kind == "block" and self._put_block(run, found[0]):
            return
        if found:
            _replace(run.slots, [(one, self._content(one, item)) for one in found])

    def _put_block(self, run: Run, found: TagMatch) -> bool:
        if not blocks.stands_alone(run, found.start, found.end):
            return False
        if found.name == "Contract.table_of_contents":
            # Filled by the layout.
            block = etree.Element("div", {"class": "contents"})
        elif found.name == "Contract.signature_block":
            block = blocks.signature_block(self.values, self.unresolved, self.styles[""])
        elif self._value(found.name, None):
            block = copy.deepcopy(self.lines_table)
        else:
            return False
        self._spend(ELEMENT * sum(1 for _ in block.iter()))
        blocks.put(run, block)
        return True

    def number(self, references: list[etree._Element], known: dict[str, str | None]) -> None:
        """Writes clause numbers; a blank for a removed clause."""
        for reference in references:
            name = reference.get("data-ref")
            number = known.get(name)
            del reference[:]
            reference.text = number and printable(number, self.direction)
            if number is None:
                reference.append(blocks.blank())
                self.unresolved.append(f"#{name}")

    def _content(self, found: TagMatch, item: Item | None) -> list[str | etree._Element]:
        text = self._text(found, item)
        return [blocks.blank()] if text is None else pieces(text, self.direction)

    def _text(self, found: TagMatch, item: Item | None) -> str | None:
        """A tag's output; None, and an unresolved entry, without a value."""
        tag = self._tag(found.name)
        value = None if tag.kind in ("block", "lines") else self._value(tag.name, item)
        key = (tag.name, found.filters, id(item) if tag.entity == LINE else None)
        if key not in self.texts:
            self.texts[key] = printed(tag.kind, value, found.filters, self.styles.get(tag.entity, self.styles[""]))
        text = self.texts[key]
        if text is None:
            self.unresolved.append(tag.name)
        self._spend(ELEMENT + len(text or BLANK))
        return text

    def _spend(self, size: int) -> None:
        self.budget -= size
        if self.budget < 0:
            raise TooLarge

    def _tag(self, name: str | None) -> Tag:
        """The tag of a known name; a deleted own field has no value."""
        name = name or ""
        return self.tags.get(name) or Tag("Contract", name.partition(".")[2], "", "text", None)

    def _value(self, name: str | None, item: Item | None) -> Any:
        if name not in self.tags:
            return None
        tag = self.tags[name]
        record = item if tag.entity == LINE else self.values.get(tag.entity)
        if tag.kind == "block" and tag.entity == "Contract":
            return True
        return typed(tag.kind, (record or {}).get("lines" if tag.kind == "block" else tag.field))

    def margin(self, text: str) -> str:
        """A filled margin text; only its page tags stay active."""
        parts, pending, position = [], [], 0
        for found in find(text):
            pending.append(text[position : found.start])
            position = found.end
            if found.name in PAGE_TAGS:
                parts += [inert("".join(pending)), f"{{{{{found.name}}}}}"]
                pending = []
            elif found.name in self.tags or (found.name or "").startswith(OWN):
                value = self._text(found, None)
                pending.append(BLANK if value is None else printable(value, self.direction))
        return "".join([*parts, inert("".join([*pending, text[position:]]))])


def _replace(slots: list[Slot], replacements: list[tuple[TagMatch, list[str | etree._Element]]]) -> None:
    """Puts each replacement at its tag's start; a tag may span several slots."""
    todo = iter(replacements)
    found: TagMatch | None
    found, content = next(todo)
    offset = 0
    for slot in slots:
        text, position, parts = slot.text, 0, []
        end = offset + len(text)
        while found is not None and found.start < end:
            if found.start >= offset:
                parts += [text[position : found.start - offset], *content]
            position = min(found.end, end) - offset
            if found.end > end:
                break
            found, content = next(todo, (None, []))
        if position:
            insert(slot.element, slot.attribute, [*parts, text[position:]])
        offset = end
