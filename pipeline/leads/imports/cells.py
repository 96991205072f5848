"""Cleans cells that other programs and spreadsheets write in their own way."""

import re
import unicodedata

from pipeline.validation import Invalid, refuse
from pipeline.validation.emails import Email

_EMAIL = Email()
# Spreadsheets hide these characters, which come from web pages.
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")
# ="0170123", 4,91701E+11, 301234567.0
_FORMULA = re.compile(r'="?([^"]*)"?')
_SCIENTIFIC = re.compile(r"(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})")
_NUMBER = re.compile(r"(\d{5,})[.,]0+")
_PHONE_WORD = re.compile(r"(?:p|tel|phone|fon|tél|mob|mobil|mobile):\s*", re.IGNORECASE)
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "phd", "md", "esq", "mba", "inc", "llc", "ltd", "gmbh", "ag", "sa"}


def visible(cell: str) -> str:
    """The cell without hidden characters, NFKC for full-width signs."""
    return _HIDDEN.sub("", cell).replace("\u00a0", " ").strip()


def email(cell: str) -> tuple[str | None, str]:
    """(address, rest of the cell that was left out); raises Invalid without an address."""
    text = unicodedata.normalize("NFKC", visible(cell)).removeprefix("mailto:").removeprefix("MAILTO:")
    try:
        return _EMAIL.load(text.strip(" ,;.<>'\"")), ""
    except Invalid:
        found = _ADDRESS.findall(text)
    if not found:
        refuse("invalid_email")
    first, *others = found
    return _EMAIL.load(first.strip(".'").partition("?")[0]), " ".join(others)


def phone(cell: str) -> tuple[str | None, str]:
    """(number as typed, rest of the cell that was left out); raises Invalid without one."""
    text = visible(cell)
    if formula := _FORMULA.fullmatch(text):
        text = formula[1]
    text = _PHONE_WORD.sub("", text.lstrip("'")).strip()
    if number := _NUMBER.fullmatch(text):
        text = number[1]
    if power := _SCIENTIFIC.fullmatch(text):
        digits = power[1] + (power[2] or "")
        # The spreadsheet has rounded the number.
        if len(digits) != int(power[3]) + 1:
            refuse("invalid_phone")
        text = digits
    first, *others = text.split(" ::: ")
    if sum(map(str.isdigit, first)) < 3:
        refuse("invalid_phone")
    return first, " ".join(others)


def full_name(name: str) -> tuple[str, str | None]:
    """(first name, last name) of "First Last" or "Last, First"."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma and last and first and "," not in first and re.sub(r"\W", "", first.casefold()) not in _SUFFIXES:
        return first, last
    first, _, last = name.rpartition(" ")
    return (first.strip(), last) if first else (last, None)


def local_part(address: str) -> str:
    return address.partition("@")[0]
