"""Finds the placeholders of other systems, which would print as they are."""

import difflib
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

MAX_LENGTH = 100
# {…}, ${…}, {!…}, [[…]], […], 【…】, «…», ‹‹…››, <<…>>, <…>, <%…%>, {%…%}, %…%, $…$, __…__, @@…@@, ##…##
_FORMS = (
    r"\{%[^{}]{0,200}%\}",
    r"<%[^<>]{0,200}%>",
    r"<<\s*(?P<angles>[^\W\d][^<>{}]{0,60})>>",
    r"(?<!\{)[$#]?\{!?\s*(?P<braces>[^\W\d]\w[^{}]{0,99})\}(?!\})",
    r"\[\[\s*(?P<double>[^\[\]]{1,80})\]\]",
    r"(?<!\[)\[\s*(?P<brackets>[^\[\]]{1,80})\](?!\])",
    r"【\s*(?P<lenses>[^【】]{1,80})】",
    r"\$(?P<dollars>[A-Z][A-Z0-9_]{2,40})\$|__(?P<lines>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+){0,6})__",
    r"[«‹]{1,2}\s*(?P<quotes>[^«»‹›]{1,80})[»›]{1,2}",
    r"<\s*(?P<element>[^\W\d][^<>]{0,60})>",
    r"%{1,2}(?P<percent>[A-Za-z_]\w{1,40}(?:\.\w{1,40})?)%{1,2}",
    r"(?:@@|##)(?P<signs>[A-Za-z_][\w. ]{0,40}?)(?:@@|##)",
)
_ANY = re.compile("|".join(_FORMS))
# Braces and angles hold no prose; brackets and quotation marks do.
_PROSE = ("brackets", "quotes", "element")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+|[^\W_]+(?:_[^\W_]+)+|[a-z]+[A-Z]\w*|(?:[A-Z][a-z]+){2,}")
_EMPTY = re.compile(r"[●•_\s]{1,40}|x{2,20}|\.{4,}|\?+|tb[acd]|n\.?n\.?", re.IGNORECASE)
_ROMAN = re.compile("x{2,3}")
_REQUEST = re.compile(
    r"(?:please )?(?:insert|enter|fill in|add|specify|click (?:here|or tap)|name of|date of|amount of)\b", re.IGNORECASE
)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9 /'’-]+|(?:[A-Z][\w'’-]+ ){1,4}[A-Z][\w'’-]+")
_WORD = re.compile(r"[^\W_]+")
# A field of a service for signatures: [sig|req|signer1].
_FIELD = re.compile(r"[a-z]{2,12}(?:\|[\w ]{1,30}){1,6}")
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SYNONYMS = {
    **dict.fromkeys(["client", "customer", "buyer", "purchaser", "licencee", "company", "kunde"], "licensee"),
    **dict.fromkeys(["vendor", "supplier", "seller", "provider", "licenser"], "licensor"),
    **dict.fromkeys(["price", "fee", "amount"], "total"),
    "start": "effective",
    "end": "termination",
}
CLOSE = 0.8
EXCERPT = 60


class Found(NamedTuple):
    """A placeholder in a text; a doubtful one may be prose."""

    start: int
    text: str
    words: str
    doubtful: bool


def find(text: str) -> Iterator[Found]:
    """The placeholders of a text, in order."""
    for match in _ANY.finditer(text):
        form = match.lastgroup or ""
        words = (match[form] if form else match[0]).strip()
        is_plain = form not in _PROSE
        if not is_plain and not _is_meant(words) and not _looks(words, form):
            continue
        yield Found(match.start(), match[0][:EXCERPT], words, not is_plain and not _is_meant(words))


def _is_meant(words: str) -> bool:
    """Whether words in brackets or quotation marks are surely no prose."""
    if _NAME.fullmatch(words) or _REQUEST.match(words) or _FIELD.fullmatch(words):
        return True
    return bool(_EMPTY.fullmatch(words) and not _ROMAN.fullmatch(words))


def _looks(words: str, form: str) -> bool:
    return form in ("brackets", "quotes") and bool(_CAPITALS.fullmatch(words))


def closest(words: str, tags: Collection[str]) -> str | None:
    """The tag that a placeholder means most likely, or None."""
    by_words = {_plain(tag): tag for tag in sorted(tags, key=len, reverse=True)}
    for tag in sorted(tags, key=len, reverse=True):
        by_words.setdefault(_plain(tag.partition(".")[2]), tag)
    near = difflib.get_close_matches(_plain(words)[:80], by_words, n=1, cutoff=0.5)
    return by_words[near[0]] if near else None


def is_a_tag(words: str, tags: Collection[str]) -> bool:
    """Whether the words are those of a tag, but for case, signs and synonyms."""
    near = closest(words, tags)
    wanted = _plain(words)
    return near is not None and any(
        difflib.SequenceMatcher(None, wanted, _plain(name)).ratio() >= CLOSE for name in (near, near.partition(".")[2])
    )


def _plain(words: str) -> str:
    """Small words with one blank between them."""
    found = (word.casefold() for word in _WORD.findall(_PARTS.sub(" ", words)))
    return " ".join(_SYNONYMS.get(word, word) for word in found)
