"""The grammar of merge tags: `{{ Entity.field | filter: "argument" | filter }}`."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pipeline.contracts.merge.catalogue import LINE, PAGE_TAGS, Tag
from pipeline.contracts.merge.conditions import INVISIBLE
from pipeline.validation.violations import nearest

WRITTEN = 'A tag is written {{Entity.field}} or {{Entity.field | filter: "argument"}}.'
MAX_ARGUMENT = 500
_SPACE = rf"[\s{INVISIBLE}]*+"
_WORD = rf"[^\W\d][\w{INVISIBLE}]*+"
# An argument ends at a quotation mark before a filter or the tag's end. The marks need not match, because languages
# pair them differently.
_ARGUMENT = (
    rf"(?:[\"“”„«»](?P<double>[^{{}}]{{0,{MAX_ARGUMENT}}}?)[\"“”„«»]|['‘’‚‹›](?P<single>[^{{}}]{{0,{MAX_ARGUMENT}}}?)['‘’‚‹›])"
    rf"(?={_SPACE}(?:\||\}}\}}))"
)
_BRACES = re.compile(r"\{\{|\}\}")
_PART = rf"\.{_SPACE}{_WORD}{_SPACE}"
_NAME = re.compile(rf"{_SPACE}(?P<name>{_WORD}{_SPACE}(?:{_PART}){{0,2}})")
_FILTER = re.compile(rf"\|{_SPACE}(?P<name>{_WORD}){_SPACE}(?::{_SPACE}{_ARGUMENT}{_SPACE})?")
_IGNORED = re.compile(rf"[\s{INVISIBLE}]")


class Filter(NamedTuple):
    """A filter of a tag."""

    name: str
    argument: str | None


class TagMatch(NamedTuple):
    """The tag in `text[start:end]`; `name` is None for invalid braces."""

    start: int
    end: int
    name: str | None
    filters: tuple[Filter, ...] = ()


def find(text: str) -> Iterator[TagMatch]:
    """Every tag and every invalid pair of braces, in order."""
    position = 0
    while braces := _BRACES.search(text, position):
        found = _read(text, braces) or TagMatch(braces.start(), _end(text, braces), None)
        yield found
        position = found.end


def _end(text: str, braces: re.Match[str]) -> int:
    following = braces[0] == "{{" and _BRACES.search(text, braces.end())
    return following.end() if following and following[0] == "}}" else braces.end()


def _read(text: str, braces: re.Match[str]) -> TagMatch | None:
    if braces[0] == "}}" or not (head := _NAME.match(text, braces.end())):
        return None
    filters, position = [], head.end()
    while match := _FILTER.match(text, position):
        argument = match["double"] if match["double"] is not None else match["single"]
        filters.append(Filter(_plain(match["name"]), argument))
        position = match.end()
    if not text.startswith("}}", position):
        return None
    return TagMatch(braces.start(), position + 2, _plain(head["name"]), tuple(filters))


def _plain(word: str) -> str:
    return _IGNORED.sub("", word)


def suggestion(name: str, tags: Iterable[Tag], margin: bool = False) -> str:
    """Same as `nearest`, among the tags valid here."""
    known = [tag.name for tag in tags if not margin or tag.entity != LINE]
    return nearest(name, [*known, *(PAGE_TAGS if margin else ())])
