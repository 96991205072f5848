"""Reads the lists of editors and Google Docs: their styles say which markers they show."""

import re
from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import NamedTuple

from lxml import etree

from pipeline.documents.clauses import TYPES, counted
from pipeline.documents.pasted import markers
from pipeline.documents.pasted.reading import GONE, PasteChange, declared, drop, excerpt, text_of
from pipeline.documents.pasted.symbols import in_font, tick_of

LISTS = ("ol", "ul")
_INLINES = frozenset(["a", "span", "strong", "b", "em", "i", "u", "s", "sub", "sup", "font", "br", "strike"])
_PARAGRAPHS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6"])
_TYPES = {
    **{name: name for name in TYPES},
    "decimal": "1",
    "lower-alpha": "a",
    "lower-latin": "a",
    "upper-alpha": "A",
    "upper-latin": "A",
    "lower-roman": "i",
    "upper-roman": "I",
}
_OWN = frozenset(["value", "type", "data-leveltext"])
_BULLETS = {"disc": "•", "circle": "○", "square": "▪"}
_QUOTED = re.compile(r"[\"']([^\"']*)[\"']")
# counter(lst-ctn-kix_a-0,decimal) ". "
_COUNTER = re.compile(r"counter\(([\w-]+)(?:,\s*([\w-]+))?\)|[\"']([^\"']*)[\"']")
# The class of a list of Google Docs ends in its level from 0.
_GOOGLE_LEVEL = re.compile(r"\blst-\w+-([0-8])\b")
_LEVEL_TEXT = re.compile(r"%([1-9])")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Shown(NamedTuple):
    """An item, its marker as the source shows it, and the same as a list `type` and number; `told` is a change."""

    item: etree._Element
    marker: str
    reading: markers.Reading | None = None
    told: PasteChange | None = None


def settle(body: etree._Element, is_plain: bool) -> Iterator[PasteChange]:
    """Makes each list print its markers: by `type` and `start`, else as text.

    `is_plain`: lists without a type have figures at each level, as LibreOffice writes them.
    """
    counters: dict[str, int] = {}
    if is_plain:
        yield from _guessed(body)
    for top in [one for one in body.iter(*LISTS) if next(one.iterancestors(*LISTS), None) is None]:
        if "clauses" in top.get("class", "").split() or not (is_plain or _says(top)):
            continue
        if is_plain:
            for element in top.iter("ol"):
                element.set("type", element.get("type", "1"))
        yield from _settle_list(top, counters)
    # Only when nothing refers to their items any more: lxml looks through a removed list for each that is referred to.
    drop(body)


def _settle_list(top: etree._Element, counters: dict[str, int]) -> Iterator[PasteChange]:
    shown = {one.item: one for one in _shown(top, counters)}
    yield from filter(None, (one.told for one in shown.values()))
    lists = list(top.iter(*LISTS))
    if all(_tag_of(element, shown) for element in lists):
        readings = {item: one.reading for item, one in shown.items() if one.reading}
        for element in lists:
            element.tag = _tag_of(element, shown)
            _part(element, readings)
    else:
        yield from _flatten(top, {item: one.marker for item, one in shown.items()})


def _guessed(body: etree._Element) -> Iterator[PasteChange]:
    """The warning that the HTML of LibreOffice lacks numbers such as 1.1 and (a)."""
    numbered = list(body.iter("ol"))
    if numbered:
        where = excerpt(text_of(numbered[0]))
        yield PasteChange(
            "guessed_marker",
            f"The numbers of lists, from {where} on, are a guess, because the HTML of LibreOffice does not have them; "
            "compare them with the document, or paste it from Word",
        )


def _tag_of(element: etree._Element, shown: dict[etree._Element, Shown]) -> str | None:
    """`ol` where each item has a number that contracts print, `ul` where each has a bullet."""
    items = [shown[item] for item in element.iterchildren("li")]
    if not items:
        return str(element.tag)
    if all(one.reading for one in items):
        return "ol"
    return "ul" if all(one.marker == "•" for one in items) else None


def _says(top: etree._Element) -> bool:
    """Whether a list or item in it has a marker of its own; others print by the rules of contracts."""
    return any(
        "list-style" in one.get("style", "")
        or "counter-content" in one.get("style", "")
        or (one.tag == "li" and (_OWN.intersection(one.keys()) or tick_of(one)))
        or "reversed" in one.attrib
        for one in top.iter("ol", "ul", "li")
    )


def _shown(top: etree._Element, counters: dict[str, int]) -> Iterator[Shown]:
    """Every item with its marker, in document order."""
    for element in top.iter(*LISTS):
        items = list(element.iterchildren("li"))
        step = -1 if "reversed" in element.attrib else 1
        number = _integer(element.get("start"), len(items) if step < 0 else 1) - step
        for item in items:
            number = _integer(item.get("value"), number + step)
            yield _read(element, item, number, counters)


def _integer(text: str | None, otherwise: int) -> int:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,4}", text.strip()) else otherwise


def _read(element: etree._Element, item: etree._Element, number: int, counters: dict[str, int]) -> Shown:
    style = {**declared(element), **declared(item)}
    if tick := tick_of(item):
        return Shown(item, tick)
    if content := style.get("counter-content"):
        return _of_text(item, _counted_content(content, counters, number))
    kind = _kind(element, item, style)
    if text := item.get("data-leveltext"):
        return _of_text(item, _level_text(item, text, kind, number, counters))
    if kind in _TYPES:
        reading, marker = (markers.Reading(_TYPES[kind], number), f"{_web_label(kind, number)}.")
        return Shown(item, marker, reading if number > 0 and f"{reading.label}." == marker else None)
    if kind in _BULLETS:
        told = PasteChange("changed_marker", f'The bullet "{_BULLETS[kind]}" becomes "•"') if kind != "disc" else None
        return Shown(item, "•", told=told)
    if quoted := _QUOTED.fullmatch(kind):
        return Shown(item, quoted[1].strip())
    return Shown(item, "" if kind == "none" else _predefined(number, kind))


def _of_text(item: etree._Element, marker: str) -> Shown:
    if marker and marker in markers.BULLETS:
        return Shown(item, "•")
    return Shown(item, marker, next(iter(markers.readings(marker)), None))


def _kind(element: etree._Element, item: etree._Element, style: dict[str, str]) -> str:
    """The list-style-type."""
    given = style.get("list-style-type") or style.get("list-style", "")
    if quoted := _QUOTED.search(given):
        return quoted[0]
    for word in given.split():
        if word not in ("inside", "outside") and not word.startswith("url("):
            return word
    if element.tag == "ul":
        return "disc"
    level = sum(1 for _ in takewhile(lambda one: one.tag != "ul", element.iterancestors("ol", "ul")))
    typed = item.get("type") or element.get("type")
    return typed if typed in _TYPES else ("1", "a", "i")[level % 3]


def _web_label(kind: str, number: int) -> str:
    """The number as browsers count: letters go on with ab after aa."""
    form = TYPES[_TYPES[kind]]
    if "Letter" not in form or number < 1:
        return counted(form, number)
    text, rest = "", number
    while rest:
        rest, place = divmod(rest - 1, len(_LETTERS))
        text = _LETTERS[place] + text
    return text.upper() if form.startswith("upper") else text


def _predefined(number: int, kind: str) -> str:
    """A marker of any counter style that CSS defines."""
    # WeasyPrint loads slowly, and these styles are rare.
    from weasyprint import UA_COUNTER_STYLE

    return UA_COUNTER_STYLE.render_marker(kind, number).strip() if kind in UA_COUNTER_STYLE else f"{number}."


def _counted_content(content: str, counters: dict[str, int], number: int) -> str:
    """The marker of an exported Google document, whose counters have the level at their end."""
    parts, names = [], [found[1] for found in _COUNTER.finditer(content) if found[1]]
    if names:
        counters[names[-1]] = number
    for name, kind, text in (found.groups() for found in _COUNTER.finditer(content)):
        form = TYPES.get(_TYPES.get(kind or "decimal", "1"), "decimal")
        parts.append(counted(form, counters.get(name, 1)) if name else text)
    return "".join(parts).replace("\u00a0", " ").strip()


def _level_text(item: etree._Element, text: str, kind: str, number: int, counters: dict[str, int]) -> str:
    """The marker of Word for the web: `%1.%2.` with the numbers of the levels."""
    name, level = item.get("data-listid", ""), _integer(item.get("data-aria-level"), 1)
    number = _integer(item.get("data-aria-posinset"), number)
    counters[f"{name} {level}"] = number
    form = TYPES[_TYPES.get(kind, "1")]

    def written(found: re.Match[str]) -> str:
        of = int(found[1])
        return counted(form if of == level else "decimal", counters.get(f"{name} {of}", 1))

    return in_font(_LEVEL_TEXT.sub(written, text).strip(), item.get("data-font", ""))


def _part(element: etree._Element, readings: dict[etree._Element, markers.Reading]) -> None:
    """Splits a list where its type changes or a number is left out."""
    if element.tag != "ol":
        return
    items = [child for child in element if child in readings]
    groups = [list(group) for _, group in groupby(enumerate(items), lambda one: _series(one, readings))]
    for place, group in enumerate(groups):
        first = readings[group[0][1]]
        if place:
            made = etree.Element("ol")
            made.tail, element.tail = element.tail, None
            element.addnext(made)
            _move(group[0][1], element, made)
            element = made
        element.attrib.pop("start", None)
        element.set("type", first.kind)
        if first.number != 1:
            element.set("start", str(first.number))


def _series(one: tuple[int, etree._Element], readings: dict[etree._Element, markers.Reading]) -> tuple[str, int]:
    reading = readings[one[1]]
    return reading.kind, reading.number - one[0]


def _move(first: etree._Element, element: etree._Element, made: etree._Element) -> None:
    """Moves an item and what follows it into another list."""
    made.extend([first, *first.itersiblings()])


def _flatten(top: etree._Element, shown: dict[etree._Element, str]) -> Iterator[PasteChange]:
    """Turns a list into paragraphs that keep their markers."""
    numbers = [marker for marker in shown.values() if marker and marker != "•"]
    where = excerpt(text_of(next(iter(shown))))
    level = _GOOGLE_LEVEL.search(top.get("class", ""))
    blocks = list(_blocks(top, shown, int(level[1]) + 1 if level else 1))
    if numbers:
        range_of = f'"{numbers[0]}"' if len(numbers) == 1 else f'"{numbers[0]}" to "{numbers[-1]}"'
        yield PasteChange("kept_marker", f"The list markers {range_of}, from {where} on, stay as text")
    for block in blocks:
        top.addprevious(block)
    top.tag = GONE


def _blocks(element: etree._Element, shown: dict[etree._Element, str], depth: int) -> Iterator[etree._Element]:
    for child in list(element):
        if child.tag in LISTS:
            yield from _blocks(child, shown, depth + 1)
        elif child.tag == "li":
            yield from _blocks_of_item(child, shown, depth)


def _blocks_of_item(item: etree._Element, shown: dict[etree._Element, str], depth: int) -> Iterator[etree._Element]:
    marker, parts = shown.get(item, ""), list(_parts(item))
    if marker and (not parts or parts[0].tag not in _PARAGRAPHS):
        parts.insert(0, etree.Element("p"))
    for place, part in enumerate(parts):
        if part.tag in LISTS:
            yield from _blocks(part, shown, depth + 1)
            continue
        if marker and not place:
            markers.keep(part, marker, depth)
        elif part.tag in _PARAGRAPHS:
            part.set("class", f"marked-{depth}")
        yield part


def _parts(item: etree._Element) -> Iterator[etree._Element]:
    """The blocks of an item; text between them becomes paragraphs."""
    line = etree.Element("p")
    line.text = item.text
    for child in list(item):
        if child.tag in _INLINES:
            line.append(child)
            continue
        if _holds(line):
            yield line
        line = etree.Element("p")
        line.text, child.tail = child.tail, None
        yield child
    if _holds(line):
        yield line


def _holds(line: etree._Element) -> bool:
    return bool(text_of(line).strip()) or any(one.tag in ("br", "img") for one in line)
