"""Writes the style sheets of pasted documents into the styles of their elements."""

import re
from collections import defaultdict
from collections.abc import Iterator

import tinycss2
from lxml import etree

from pipeline.documents.pasted.reading import add_style

_SHEET = re.compile(r"<style\b[^>]*>(.*?)</style\s*>", re.DOTALL | re.IGNORECASE)
# The selectors that word processors write: `p`, `.c1`, `p.MsoTitle`, `ol.lst-kix_a-0 > li:before`.
_SELECTOR = re.compile(r"(?:([a-z][a-z0-9]*)?(?:\.([\w-]+))?)", re.IGNORECASE)
_COUNTED = re.compile(r"\.(lst-[\w-]+)\s*>\s*li:+before", re.IGNORECASE)
# A sheet's rule may change these.
_KEPT = re.compile(
    "display|visibility|opacity|font-(?:weight|style|variant|size|family)|text-(?:align|decoration|transform)"
    "|list-style(?:-type)?|border(?:-[a-z]+)*|vertical-align|mso-(?:hide|list|element|tab-count)"
)
MAX_RULES = 5_000
Rules = dict[tuple[str, str], list[str]]


def apply(body: etree._Element, source: str) -> None:
    """Puts the declarations of the source's sheets before those of each element."""
    sheets = "\n".join(_SHEET.findall(source)).replace("<!--", "").replace("-->", "")
    if not sheets.strip():
        return
    rules = _rules(sheets)
    for element in body.iter():
        names = element.get("class", "").split()
        keys = [(element.tag, ""), *(key for name in names for key in (("", name), (element.tag, name)))]
        found = [declarations for key in keys for declarations in rules.get(key, ())]
        if found and element.get("align"):  # LibreOffice's own sheet contradicts it
            found = [one for one in found if "text-align" not in one]
        if found:
            add_style(element, ";".join(found))


def _rules(sheets: str) -> Rules:
    """{(element or "", class or ""): declarations}."""
    found: Rules = defaultdict(list)
    for rule in tinycss2.parse_stylesheet(sheets, skip_comments=True, skip_whitespace=True)[:MAX_RULES]:
        if rule.type != "qualified-rule":
            continue
        selectors = [one.strip() for one in tinycss2.serialize(rule.prelude).split(",")]
        declarations = ";".join(_declarations(rule))
        for selector in selectors:
            if counted := _COUNTED.search(selector):
                if content := _content(rule):
                    found["", counted[1]].append(f"counter-content:{content}")
            elif declarations and (plain := _SELECTOR.fullmatch(selector)):
                found[(plain[1] or "").lower(), plain[2] or ""].append(declarations)
    return found


def _declarations(rule: tinycss2.ast.QualifiedRule) -> Iterator[str]:
    for one in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and _KEPT.fullmatch(one.lower_name):
            yield f"{one.lower_name}:{tinycss2.serialize(one.value).strip()}"


def _content(rule: tinycss2.ast.QualifiedRule) -> str:
    """The `content` of a list's marker, without signs that would end a declaration."""
    for one in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and one.lower_name == "content":
            return tinycss2.serialize(one.value).strip().replace(";", "")
    return ""
