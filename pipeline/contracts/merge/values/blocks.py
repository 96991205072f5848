"""Ready blocks: the table of quote lines, and the signatures."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from lxml import etree
from lxml.builder import E

from pipeline.contracts.merge.catalogue import TAGS, TagValues
from pipeline.contracts.merge.runs import Run, interrupts
from pipeline.contracts.merge.values.filters import Style, currency, number, plain, typed
from pipeline.contracts.merge.values.insertion import filled, insert
from pipeline.contracts.merge.values.labels import words_of
from pipeline.documents.document import BLANK
from pipeline.documents.subset import PARTIES, PLACES, WORD_MARK, word_mark

PARAGRAPHS = frozenset(["p", "h1", "h2", "h3", "h4"])
CONTAINERS = frozenset(["body", "div", "td", "th", "li", "blockquote"])
SIGNATURE = "_" * 24
# (field, formatter).
Column = tuple[str, Callable[[Decimal, str | None, Style], str]]
# Keys are words of labels.py.
COLUMNS: dict[str, Column] = {
    "quantity": ("quantity", number),
    "unit_price": ("unit_price", currency),
    "discount": ("discount_percent", number),
    "net": ("net", currency),
}
# (word, field).
TOTALS = (("subtotal", "subtotal"), ("discount", "discount_total"), ("tax", "tax_total"), ("total", "total"))


def stands_alone(run: Run, start: int, end: int) -> bool:
    """Whether `text[start:end]` is alone in its paragraph."""
    text = run.text
    if text[:start].strip() or text[end:].strip():
        return False
    if run.block.tag in PARAGRAPHS:
        return _holds_only(run.block, len("".join(text.split())))
    return run.block.tag in CONTAINERS


def _holds_only(paragraph: etree._Element, size: int) -> bool:
    """Stops reading after `size` characters."""
    for text in paragraph.itertext():
        size -= len("".join(text.split()))
        if size < 0:
            return False
    return True


def put(run: Run, block: etree._Element) -> None:
    """Replaces a run that holds only a tag."""
    if run.block.tag in PARAGRAPHS:
        block.tail = run.block.tail
        if marks := WORD_MARK.findall(run.block.get("class", "")):
            block.set("class", " ".join([*block.get("class", "").split(), *map(word_mark, marks)]))
        run.block.getparent().replace(run.block, block)
        return
    first = run.slots[0]
    following = first.element.getnext() if first.attribute == "tail" else next(iter(first.element), None)
    while following is not None and not interrupts(following):
        inline, following = following, following.getnext()
        inline.getparent().remove(inline)
    insert(first.element, first.attribute, [block])


def lines_table(values: TagValues, style: Style) -> etree._Element:
    """The quote's lines and totals, without unused columns."""
    quote = values.get("Quote") or {}
    lines = quote["lines"]
    discounted = any(_of("Line", line, "discount_percent") for line in lines)
    words = words_of(style.locale.language)
    columns = {word: column for word, column in COLUMNS.items() if word != "discount" or discounted}
    heads = [_cell("th", words[word], "money", style) for word in columns]
    rows = [_quote_row(line, columns.values(), style) for line in lines]
    for word, field in TOTALS:
        value = _of("Quote", quote, field)
        if value is not None and (value or field in ("subtotal", "total")):
            strong, value = field == "total", -value if field == "discount_total" else value
            cells = [
                _cell("td", words[word], "", style, strong),
                _cell("td", currency(value, None, style), "money", style, strong),
            ]
            cells[0].set("colspan", str(len(heads)))
            rows.append(E.tr(*cells))
    return E.table(E.thead(E.tr(_cell("th", words["item"], "", style), *heads)), E.tbody(*rows))


def _quote_row(line: Mapping[str, Any], columns: Iterable[Column], style: Style) -> etree._Element:
    item = E.td()
    details = ["name", "description", "platform", "license_type"]
    texts = dict.fromkeys(plain("text", line[name], style) for name in details if _of("Line", line, name) is not None)
    filled(item, "\n".join(texts), style.direction)
    cells = [item]
    for field, write in columns:
        value = _of("Line", line, field)
        sign = "\u00a0%" * (field == "discount_percent")
        text = "" if value is None or (sign and not value) else write(value, None, style) + sign
        cells.append(_cell("td", text, "money", style))
    return E.tr(*cells)


def _of(entity: str, record: Mapping[str, Any], field: str) -> Any:
    return typed(TAGS[f"{entity}.{field}"].kind, record.get(field))


def _cell(tag: str, text: str, name: str, style: Style, strong: bool = False) -> etree._Element:
    cell = E(tag)
    filled(etree.SubElement(cell, "strong") if strong else cell, text, style.direction)
    if name:
        cell.set("class", name)
    return cell


def signature_block(values: TagValues, unresolved: list[str], style: Style) -> etree._Element:
    """Both parties' signatures, the licensee's by the deal's contact; adds parties without a name to `unresolved`."""
    words, contact = words_of(style.locale.language), values.get("Licensee") or {}
    licensor = _party(values, unresolved, "Contract", "licensor_legal_name", "licensor_name")
    licensee = _party(values, unresolved, "Licensee", "legal_name", "name")
    heads = []
    for role, party in (("for_licensor", licensor), ("for_licensee", licensee)):
        name = blank() if party is None else filled(E.strong(), party, style.direction)
        heads.append(E.td(f"{words[role]}: ", E.br(), name))
    rows = [E.tr(*heads)]
    for word, field in (("signature", ""), ("name", "contact_name"), ("title", "contact_title"), ("date", "")):
        value = typed("text", contact.get(field))
        ours, theirs = (_signature_blank(party, word) for party in PARTIES)
        known = theirs
        if value is not None:
            known = filled(E.span({"class": f"licensee-{word}"}), value, style.direction)
        rows.append(E.tr(*[E.td(f"{words[word]}: ", one) for one in (ours, known)]))
    return E.table(E.tbody(*rows), {"class": "signatures"})


def _party(values: TagValues, unresolved: list[str], entity: str, *fields: str) -> str | None:
    record = values.get(entity) or {}
    for field in fields:
        if typed("text", record.get(field)) is not None:
            return str(record[field])
    unresolved.append(f"{entity}.{fields[-1]}")
    return None


def _signature_blank(party: str, word: str) -> etree._Element:
    """A blank that a signature fills, too."""
    place = blank(SIGNATURE)
    if (name := f"{party}-{word}") in PLACES:
        place.set("class", f"blank {name}")
    return place


def blank(text: str = BLANK) -> etree._Element:
    """A blank to fill in by hand."""
    return E.span(text, {"class": "blank"})
