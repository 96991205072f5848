"""Finds the fields of a header: by exact names, then by names of languages and programs (headers.json)."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pipeline.leads.imports.columns import COLUMNS, FULL_NAME, IDENTITY
from pipeline.validation.types import UNPRINTABLE, is_visible

FIELDS = (*IDENTITY, *COLUMNS, FULL_NAME)
# At least one of them makes a header.
NAMING = ("first_name", "last_name", FULL_NAME, "email", "company")
_DATA = json.loads(Path(__file__).with_name("headers.json").read_text(encoding="utf-8"))


DIGITS = "0123456789"


@lru_cache(maxsize=20_000)
def letters(text: str, also: str = "") -> str:
    """The letters of a header without case, accents and signs; `also` are kept."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in folded if sign.isalpha() or sign in also)


_EXACT = {letters(field): field for field in (*COLUMNS, FULL_NAME)}
_ALIASES = {
    letters(title): field
    for field, sources in _DATA["fields"].items()
    for titles in sources.values()
    for title in titles
} | _EXACT
# Words that do not change the field: work, primary, contact.
_QUALIFIERS = {letters(word) for word in _DATA["qualifiers"]}
LONGEST, LONGEST_LABEL, _ADDRESS = 300, 255, re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_BRACKETS, _WORD = re.compile(r"[(\[][^)\]]*[)\]]|__c$"), re.compile(r"[^\W\d_]+")
STATUSES = {letters(word): status for status, words in _DATA["statuses"].items() for word in words}
SALUTATIONS = {letters(word) for word in _DATA["salutations"]}
TOTALS = frozenset(_DATA["totals"])


class Places(NamedTuple):
    """{field: its columns by rank}, and the columns of no field."""

    of: Mapping[str, Sequence[int]]
    ignored: Sequence[int]


def label(title: str) -> str:
    """A header as the label of an own field: a line of visible text."""
    text = unicodedata.normalize("NFC", UNPRINTABLE.sub(" ", title))
    line = " ".join(text.split())[:LONGEST_LABEL].strip()
    return line if is_visible(line) else ""


def key(title: str) -> str:
    """The form of a title for comparing headers, labels and the mapping."""
    return label(title).casefold()


def recognized(title: str) -> tuple[str | None, bool]:
    """(field of a header, whether by its own name)."""
    name = title.strip()
    if len(name) > LONGEST:
        return None, False
    # Other programs have ids of their own.
    if name in IDENTITY:
        return name, True
    exact = _EXACT.get(letters(name, DIGITS))
    return (exact, True) if exact else (_meant(name), False)


def _meant(title: str) -> str | None:
    """The field of a header by its aliases; of "Company/Customer" the one that its parts agree on."""
    if (field := _alias(title)) or "/" not in title:
        return field
    found = {field for part in title.split("/") if (field := _alias(part))}
    if found == {"first_name", "last_name"}:
        return FULL_NAME
    if len(found) > 1:
        found.discard(FULL_NAME)
    return found.pop() if len(found) == 1 else None


def _alias(title: str) -> str | None:
    return next((field for reading in _readings(title) if (field := _ALIASES.get(letters(reading)))), None)


def _readings(title: str) -> Iterator[str]:
    """The header; then without remarks in brackets, without the record before a colon, and without qualifiers."""
    yield title
    plain = _BRACKETS.sub(" ", title)
    yield plain
    record, _colon, rest = plain.partition(":")
    if letters(record) in _QUALIFIERS:
        yield rest
    yield " ".join(word for word in _WORD.findall(plain) if letters(word) not in _QUALIFIERS)


def places(header: Sequence[str], mapping: Mapping[str, str | None]) -> Places:
    """The Places of a header; `mapping` {header: field, or None to ignore} comes first."""
    chosen = {key(title): field for title, field in mapping.items()}
    ranked: dict[str, list[tuple[int, int]]] = {}
    ignored = []
    for place, title in enumerate(header):
        name = key(title)
        field, exact = (chosen[name], True) if name in chosen else recognized(title)
        if field is None:
            ignored.append(place)
        else:
            ranked.setdefault(field, []).append((0 if name in chosen else 1 if exact else 2, place))
    found = {field: [place for _rank, place in sorted(columns)] for field, columns in ranked.items()}
    return Places(_named(found), ignored)


def _named(found: dict[str, list[int]]) -> dict[str, list[int]]:
    """Takes "Name" beside a first name for the last name (Name, Vorname), and beside a last name for the first."""
    if FULL_NAME in found and ("first_name" in found) != ("last_name" in found):
        found["last_name" if "first_name" in found else "first_name"] = found.pop(FULL_NAME)
    return found


def score(header: Sequence[str], mapping: Mapping[str, str | None]) -> int:
    """The number of fields of a header; 0 without one of NAMING, and without the id and creation of an export."""
    # A row of data.
    if any(len(title) < LONGEST and _ADDRESS.fullmatch(title.strip()) for title in header):
        return 0
    found = places(header, mapping).of
    is_export = "id" in found and "created_at" in found
    return len(found) if is_export or any(field in found for field in NAMING) else 0
