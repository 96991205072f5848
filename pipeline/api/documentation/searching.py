"""The search over guides, errors and the operations of the API."""

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

LONGEST, MOST = 100, 30
# A word in a title counts as much as so many in the text.
TITLE = 20


class SearchHit(NamedTuple):
    """A result of the search: title, address and plain text."""

    title: str
    address: str
    text: str

    def excerpt(self, words: str, length: int = 200) -> str:
        """Whole words of the text around the first of the words, without backticks."""
        text = self.text.replace("`", "")
        lower = text.lower()
        first = min((place for word in words.lower().split() if (place := lower.find(word)) >= 0), default=0)
        start = text.find(" ", first - length // 4) + 1 if first > length // 4 else 0
        shown = textwrap.shorten(text[start:], length, placeholder=" …")
        return f"… {shown}" if start else shown


def operations(document: dict[str, Any]) -> Iterator[SearchHit]:
    """The operations of an OpenAPI document, at their places in the reference."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            place = f"/docs/reference#tag/{operation['tags'][0].lower().replace(' ', '-')}/{method.upper()}{path}"
            yield SearchHit(
                f"{operation['summary']}: {method.upper()} {path}",
                place,
                operation.get("description", "").replace("`", ""),
            )


def find(parts: Iterable[SearchHit], words: str) -> list[SearchHit]:
    """The parts with all words, the best first."""
    asked = words.lower().split()
    scored = [(_score(part, asked), part) for part in parts] if asked else []
    return [part for score, part in sorted(scored, key=lambda one: -one[0]) if score][:MOST]


def _score(part: SearchHit, words: list[str]) -> int:
    title, text = part.title.lower(), part.text.lower()
    counts = [TITLE * title.count(word) + text.count(word) for word in words]
    return sum(counts) if all(counts) else 0
