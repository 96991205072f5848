"""Reads the list paragraphs of Word and Outlook, each of which carries its marker as text.

Their form: `<p style="mso-list: l0 level2 lfo1"><span style="mso-list: Ignore">(a)&nbsp;</span>Text</p>`. A sequence of
paragraphs becomes a list of the contract where that prints the same markers; else the markers stay as text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from pipeline.documents.pasted import markers
from pipeline.documents.pasted.reading import LOOSE, TAB, PasteChange, classes, declared, excerpt, slots, text_of
from pipeline.documents.styles import in_points

_LIST = re.compile(r"(?:(l[0-9]+)\s+)?level([1-9])\b")
# A marker that was typed, before a tab or the spaces of a list paragraph.
_NUMBER = r"\(?[0-9]{1,3}(?:[.-][0-9]{1,3}){0,5}[.)]?|\(?(?:[A-Za-z]{1,2}|[ivxlIVXL]{1,7})[.)]"
_NAMED = r"[A-Z]\w{2,12}[ \u00a0]{1,3}(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,5}|[IVXL]{1,7}|[A-Z])[.:)]?"
_TYPED = re.compile(rf"\s*({_NAMED}|{_NUMBER}|[·•▪§o–—\-])(?:[ \u00a0]*{TAB}+[ \u00a0]*|[\s\u00a0]{{2,}})(?=\S|$)")
# Points: of a depth in contract.css and of a level in Word; at most between paragraphs of one depth.
STEP, ALIKE = 32, 9
_BLOCKS = ("p", "h1", "h2", "h3", "h4", "h5", "h6")
_BULLET = re.compile(r"[\W_]*|o")
_SPACES = "\u00a0 \t\r\n" + TAB


class Item(NamedTuple):
    """A list paragraph: Word's level from 1, its list, the marker, its place in points, and the depth in its run."""

    block: etree._Element
    level: int
    name: str
    marker: str
    place: float | None
    depth: int = 1


Run = list[Item]


def settle(body: etree._Element) -> Iterator[PasteChange]:
    """Turns list paragraphs into lists, or keeps their markers as text."""
    runs = list(_runs(body))
    kept, depths = _kept_as_text(runs), dict[tuple[str, int], int]()
    steps = _steps(item.place for run in runs if run[0] in kept for item in run if item.place is not None)
    for run in runs:
        if run[0] in kept:
            yield from _keep(run, depths, steps)
        else:
            yield from _gather(run)


def _runs(body: etree._Element) -> Iterator[Run]:
    """The sequences of list paragraphs beside each other."""
    run: Run = []
    for block in list(body.iter(*_BLOCKS)):
        if block.getparent().tag == "li" or not (item := _item(block)):
            continue
        before = run[-1].block if run else None
        if run and (block.getprevious() is not before or (before.tail or "").strip()):
            yield _levelled(run)
            run = []
        run.append(item)
    if run:
        yield _levelled(run)


def _item(block: etree._Element) -> Item | None:
    """The list item of a paragraph, whose marker is taken out of its text; None for another paragraph."""
    style = declared(block)
    given = _LIST.search(style.get("mso-list", ""))
    marker = _take_ignored(block) if "mso-list" in style or given else None
    if marker is None and not given:
        marker = _take_spaced(block) or _take_typed(block)
        if marker is None:
            return None
    left, indent = (in_points(style.get("margin-left", "")), in_points(style.get("text-indent", "")))
    place = None if left is None else left + (indent or 0)
    return Item(block, int(given[2]) if given else 0, (given and given[1]) or "", marker or "", place)


def _take_ignored(block: etree._Element) -> str | None:
    for span in block.iter("span"):
        if declared(span).get("mso-list", "") == "ignore":
            return _taken(span, text_of(span))
    return None


def _take_spaced(block: etree._Element) -> str | None:
    """The text before the small spaces that Word writes after a marker in filtered HTML."""
    for span in block.iter("span"):
        if declared(span).get("font", "").startswith("7.0pt") and not text_of(span).strip(_SPACES):
            holder = span.getparent()
            if holder is not block and holder.tag == "span" and not (holder.tail or "").startswith(TAB):
                marker = holder.text or ""
                is_first = not (block.text or "").strip(_SPACES) and next(iter(block), None) is holder
                return _taken(holder, marker, span.tail or "") if is_first and marker.strip() else None
            marker = block.text or ""
            if holder is block and next(iter(block), None) is span and marker.strip():
                block.text = None
                return _taken(span, marker)
    return None


def _taken(span: etree._Element, marker: str, rest: str = "") -> str:
    """Removes an element and keeps the text after it; the marker without its spaces."""
    tail = rest + (span.tail or "")
    before, parent = span.getprevious(), span.getparent()
    span.tail = None
    parent.remove(span)
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    if parent.tag == "span" and not len(parent) and not parent.text:
        parent.tag = LOOSE
    return " ".join(marker.strip(_SPACES).split())


def _take_typed(block: etree._Element) -> str | None:
    """A marker that is text itself, before a tab; before spaces in a list paragraph only."""
    text = text_of(block)
    found = _TYPED.match(text)
    if not found or not (TAB in found[0] or any(name.startswith("msolist") for name in classes(block))):
        return None
    if text.count(TAB) > found[0].count(TAB):  # columns
        return None
    rest = found.end()
    for element, place in slots(block):
        given = getattr(element, place) or ""
        if rest and given:
            setattr(element, place, given[rest:] or None)
            rest -= min(rest, len(given))
    return " ".join(found[1].split())


def _levelled(run: Run) -> Run:
    """The run with its depths, and with levels of the paragraphs that have none: by the place of their markers."""
    places, levels, made = list[float](), list[float](), list[Item]()
    for item in run:
        level = item.level or len(_nested(places, item.place or 0.0))
        made.append(item._replace(level=min(level, markers.DEEPEST), depth=len(_nested(levels, level))))
    return made


def _nested(stack: list[float], place: float) -> list[float]:
    """The stack with one more place, without those that lie deeper."""
    while stack and stack[-1] > place + 0.9:
        stack.pop()
    if not stack or place > stack[-1] + 0.9:
        stack.append(place)
    return stack


def _kept_as_text(runs: list[Run]) -> set[Item]:
    """The first items of the runs whose markers stay as text: one such run of a list keeps the others."""
    kept = {run[0]: {item.name for item in run} - {""} for run in runs if _plan(run) is None}
    while True:
        names = set[str]().union(*kept.values())
        more = [run for run in runs if run[0] not in kept and names & {item.name for item in run}]
        if not more:
            return set(kept)
        kept |= {run[0]: {item.name for item in run} - {""} for run in more}


class _Place(NamedTuple):
    """An item in its list: whether a list begins, the tag of the list, its type and number."""

    begins: bool
    tag: str
    reading: markers.Reading | None


def _plan(run: Run) -> list[_Place] | None:
    """How lists print the markers of a run, or None where they would print others."""
    return _clauses(run) or _plain(run)


def _clauses(run: Run) -> list[_Place] | None:
    """The plan of legal clauses: 1., 1.1, (a)."""
    if len({item.depth for item in run}) < 2:
        return None
    first = markers.readings(run[0].marker)
    if not first or first[0].kind != "1":
        return None
    numbers, places = [first[0].number - 1], list[_Place]()
    for item in run:
        begins = item.depth > len(numbers) or not places
        numbers = [*numbers, 0][: item.depth]
        numbers[-1] += 1
        if markers.clause_label(item.depth, numbers) != item.marker:
            return None
        places.append(_Place(begins, "clauses", markers.Reading("1", numbers[-1])))
    return places


def _plain(run: Run) -> list[_Place] | None:
    """The plan of lists with numbers or letters and a full stop, and of bullets."""
    places, stack = list[_Place](), list[_Place]()
    for item in run:
        del stack[item.depth :]
        before = stack.pop() if len(stack) == item.depth else None
        if _BULLET.fullmatch(item.marker):
            if item.marker not in markers.BULLETS:
                return None
            found = _Place(before is None or before.tag != "ul", "ul", None)
        else:
            known = markers.readings(item.marker)
            if not known:
                return None
            last = before.reading if before else None
            following = next((one for one in known if last and one.follows(last)), None)
            found = _Place(following is None, "ol", following or known[0])
        stack.append(found)
        places.append(found)
    return places


def _gather(run: Run) -> Iterator[PasteChange]:
    """Nests a run by its plan."""
    lists: list[etree._Element] = []
    for item, place in zip(run, _plan(run) or (), strict=True):
        del lists[item.depth :]
        if place.begins and len(lists) == item.depth:
            lists.pop()
        while len(lists) < item.depth:
            lists.append(_opened(lists[-1] if lists else None, item.block, place))
        entry = etree.SubElement(lists[-1], "li")
        lists[0].tail, item.block.tail = item.block.tail, None
        entry.append(item.block)
        item.block.text = (item.block.text or "").lstrip()
        if place.tag == "ul" and item.marker not in ("", "•", "·"):
            yield PasteChange("changed_marker", f'The bullet "{item.marker}" becomes "•"')


def _opened(above: etree._Element | None, block: etree._Element, place: _Place) -> etree._Element:
    made = etree.Element("ul" if place.tag == "ul" else "ol")
    if above is None:
        block.addprevious(made)
    else:
        (above[-1] if len(above) else etree.SubElement(above, "li")).append(made)
    if place.tag == "clauses" and above is None:
        made.set("class", "clauses")
    if place.reading:
        # Lists in lists count by letters.
        if place.tag == "ol" and (place.reading.kind != "1" or above is not None):
            made.set("type", place.reading.kind)
        if place.reading.number != 1:
            made.set("start", str(place.reading.number))
    return made


def _steps(places: Iterable[float]) -> list[float]:
    """The places of different depths."""
    found: list[float] = []
    for place in sorted({*places}):
        if not found or place > found[-1] + ALIKE:
            found.append(place)
    return found


def _keep(run: Run, depths: dict[tuple[str, int], int], steps: list[float]) -> Iterator[PasteChange]:
    """Keeps the markers of a run; `depths` are those of its lists so far, by name and level."""
    for item in run:
        is_compound = bool(markers.COMPOUND.search(item.marker))
        above = depths.get((item.name, item.level - 1), 1 if is_compound else item.level - 1)
        depth = depths[item.name, item.level] = max(1, above if is_compound else above + 1)
        if item.place is not None:
            depth = min(max(1 + round(item.place / STEP), bisect_right(steps, item.place)), markers.DEEPEST)
        if item.marker:
            markers.keep(item.block, item.marker, depth)
        else:
            item.block.set("class", f"marked-{depth}")
    shown = [item.marker for item in run if item.marker]
    if shown:
        range_of = f'"{shown[0]}"' if len(shown) == 1 else f'"{shown[0]}" to "{shown[-1]}"'
        where = excerpt(text_of(run[0].block).removeprefix(shown[0]))
        yield PasteChange("kept_marker", f"The list numbers {range_of}, from {where} on, stay as text")
