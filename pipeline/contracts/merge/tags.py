"""The grammar of merge tags: `{{ Entity.field | filter: "argument" | filter }}`.

It is read on text, where editors put more kinds of spaces and quotation marks than a keyboard has.
"""

import difflib
import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.contracts.merge.catalogue import LINE, PAGE_TAGS, TAGS, Tag

WRITTEN = 'A tag is written {{Entity.field}} or {{Entity.field | filter: "argument"}}.'
MAX_ARGUMENT = 500
# Spaces of every kind, and the marks of no width that editors leave behind.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_SPACE = rf"[\s{_INVISIBLE}]*+"
_WORD = rf"[^\W\d][\w{_INVISIBLE}]*+"
# An argument ends at the quotation mark that a filter or the end of the tag follows, so that it may quote something.
# Which marks belong together depends on the language, and the editor's guess is not always the writer's.
_ARGUMENT = (
    rf"(?:[\"“”„«»](?P<double>[^{{}}]{{0,{MAX_ARGUMENT}}}?)[\"“”„«»]|['‘’‚‹›](?P<single>[^{{}}]{{0,{MAX_ARGUMENT}}}?)['‘’‚‹›])"
    rf"(?={_SPACE}(?:\||\}}\}}))"
)
_BRACES = re.compile(r"\{\{|\}\}")
_NAME = re.compile(rf"{_SPACE}(?P<entity>{_WORD}){_SPACE}(?:\.{_SPACE}(?P<field>{_WORD}){_SPACE})?")
_FILTER = re.compile(rf"\|{_SPACE}(?P<name>{_WORD}){_SPACE}(?::{_SPACE}{_ARGUMENT}{_SPACE})?")
_IGNORED = re.compile(f"[{_INVISIBLE}]")


class Filter(NamedTuple):
    """A filter of a tag; `argument` is None where none is given."""

    name: str
    argument: str | None


class Found(NamedTuple):
    """A tag in a text from `start` to `end`; `name` is None where the braces hold no tag, or are not closed."""

    start: int
    end: int
    name: str | None
    filters: tuple[Filter, ...] = ()

    @property
    def tag(self) -> Tag:
        """The tag of the catalogue; KeyError where it has none of this name."""
        return TAGS[self.name or ""]


def find(text: str) -> Iterator[Found]:
    """Every tag of a text in order, and every pair of braces that is none."""
    position = 0
    while braces := _BRACES.search(text, position):
        found = _read(text, braces) or Found(braces.start(), _end(text, braces), None)
        yield found
        position = found.end


def _end(text: str, braces: re.Match[str]) -> int:
    """Where braces that hold no tag end: with those that close them, if they are the next."""
    following = braces[0] == "{{" and _BRACES.search(text, braces.end())
    return following.end() if following and following[0] == "}}" else braces.end()


def _read(text: str, braces: re.Match[str]) -> Found | None:
    if braces[0] == "}}" or not (head := _NAME.match(text, braces.end())):
        return None
    filters, position = [], head.end()
    while match := _FILTER.match(text, position):
        argument = match["double"] if match["double"] is not None else match["single"]
        filters.append(Filter(_plain(match["name"]), argument))
        position = match.end()
    if not text.startswith("}}", position):
        return None
    name = _plain(head["entity"]) + (f".{_plain(head['field'])}" if head["field"] else "")
    return Found(braces.start(), position + 2, name, tuple(filters))


def _plain(word: str) -> str:
    return _IGNORED.sub("", word)


def nearest(name: str, known: list[str]) -> str:
    """A question for the end of a message: the known name that was probably meant, if there is one."""
    by_key = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(name.casefold()[:80], by_key, n=1, cutoff=0.5)
    return f' Did you mean "{by_key[close[0]]}"?' if close else ""


def suggestion(name: str, margin: bool = False) -> str:
    """As `nearest`, among the tags that may stand here."""
    known = [one for one, tag in TAGS.items() if not margin or tag.entity != LINE]
    return nearest(name, [*known, *(PAGE_TAGS if margin else ())])
