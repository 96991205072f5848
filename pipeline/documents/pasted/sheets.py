"""Writes the style sheets of pasted documents into the styles of their elements."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import tinycss2
from lxml import etree

from pipeline.documents.pasted.reading import add_style

_SHEET = re.compile(r"<style\b[^>]*>(.*?)</style\s*>", re.DOTALL | re.IGNORECASE)
# The selectors that are read: `p`, `.c1`, `p.MsoTitle`, `#note`, and these within others.
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?([.#][\w-]+)?", re.IGNORECASE)
_WITHIN = re.compile(r"\s*>\s*|\s+")
# `ol.lst-kix_a-0 > li:before`.
_COUNTED = re.compile(r"\.(lst-[\w-]+)\s*>\s*li:+before", re.IGNORECASE)
# A sheet's rule may change these.
_KEPT = re.compile(
    "display|visibility|opacity|font-(?:weight|style|variant|size|family)|text-(?:align|decoration|transform)"
    "|list-style(?:-type)?|border(?:-[a-z]+)*|vertical-align|mso-(?:hide|list|element|tab-count)"
    "|color|background(?:-color)?|position|left|top|clip(?:-path)?|overflow|max-(?:height|width)|transform"
)
MAX_RULES, MAX_WITHIN, MAX_DEPTH, MAX_VALUE = 5_000, 200, 10, 200
# (element or "", `.class` or `#id` or "").
Key = tuple[str, str]
Styles = dict[str, str]


class Rules(NamedTuple):
    """Styles by keys; `within`: of elements inside others."""

    plain: dict[Key, Styles]
    within: dict[Key, list[tuple[list[Key], Styles]]]


def apply(body: etree._Element, source: str) -> None:
    """Puts the declarations of the source's sheets before those of each element."""
    sheets = "\n".join(_SHEET.findall(source)).replace("<!--", "").replace("-->", "")
    if not sheets.strip():
        return
    rules, around = _rules(sheets), Counter[Key]()
    for event, element in etree.iterwalk(body, events=("start", "end")):
        keys = _keys(element)
        if event == "end":
            around.subtract(keys)
            continue
        found = Styles()
        for key in keys:
            found |= rules.plain.get(key, {})
            for above, styles in rules.within.get(key, ()):
                found |= styles if all(around[one] > 0 for one in above) else {}
        around.update(keys)
        if element.get("align"):  # LibreOffice's own sheet contradicts it
            found.pop("text-align", None)
        if found:
            add_style(element, ";".join(f"{name}:{value}" for name, value in found.items()))


def _keys(element: etree._Element) -> list[Key]:
    """General ones first."""
    names = [f".{name}" for name in element.get("class", "").split()]
    names += [f"#{element.get('id')}"] if element.get("id") else []
    return [(element.tag, ""), *(key for name in names for key in (("", name), (element.tag, name)))]


def _rules(sheets: str) -> Rules:
    found = Rules(defaultdict(Styles), defaultdict(list))
    for rule in tinycss2.parse_stylesheet(sheets, skip_comments=True, skip_whitespace=True)[:MAX_RULES]:
        if rule.type != "qualified-rule":
            continue
        selectors = [one.strip() for one in tinycss2.serialize(rule.prelude).split(",")]
        styles = dict(_declarations(rule))
        for selector in selectors:
            if counted := _COUNTED.search(selector):
                if content := _content(rule):
                    found.plain["", f".{counted[1]}"]["counter-content"] = content
            elif styles and (keys := _selected(selector)):
                if not keys[:-1]:
                    found.plain[keys[-1]] |= styles
                elif sum(map(len, found.within.values())) < MAX_WITHIN:
                    found.within[keys[-1]].append((keys[:-1], styles))
    return found


def _selected(selector: str) -> list[Key]:
    """The outermost first; none for unread selectors."""
    parts = [_SELECTOR.fullmatch(one) for one in _WITHIN.split(selector)[:MAX_DEPTH]]
    keys = [((one[1] or "").lower(), one[2] or "") for one in parts if one and one[0]]
    return keys if len(keys) == len(parts) else []


def _declarations(rule: tinycss2.ast.QualifiedRule) -> Iterator[tuple[str, str]]:
    for one in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and _KEPT.fullmatch(one.lower_name):
            yield one.lower_name, tinycss2.serialize(one.value).strip()[:MAX_VALUE]


def _content(rule: tinycss2.ast.QualifiedRule) -> str:
    """The `content` of a list's marker, without signs that would end a declaration."""
    for one in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and one.lower_name == "content":
            return tinycss2.serialize(one.value).strip().replace(";", "")[:MAX_VALUE]
    return ""
