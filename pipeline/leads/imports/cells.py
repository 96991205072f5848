"""Cleans cells that other programs and spreadsheets write in their own way."""

import re
import unicodedata

from pipeline.validation import Invalid, refuse
from pipeline.validation.emails import Email

_EMAIL = Email()
# Spreadsheets hide these characters, which come from web pages.
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
# The patterns below take a time that grows with the square of the length.
_SPACES, _LONGEST = re.compile(r"[^\S\n]+"), 1_000
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"/|*!]+@[^\s<>()\[\],;:\"/|*!]+")
_AT = re.compile(r"\s*[(\[]at[)\]]\s*", re.IGNORECASE)
_AROUND = " ,;.<>'\"“”„‚‘’‹›«»*!|/"
# ="0170123", 4,91701E+11, 301234567.0
_FORMULA = re.compile(r'="?([^"]*)"?')
_SCIENTIFIC = re.compile(r"(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})")
_NUMBER = re.compile(r"(\d{5,})[.,]0+")
_PHONE_WORD = re.compile(
    r"[^\w+(]*(?:(?:[ptm]|tel|tél|phone|t[eé]l[eé][fp]h?o(?:n[eo]?|on)|fon|cel|cell|mob|mobile?|handy)\b[\s.:]*(?://)?\s*)?"
    r"(?=[+(\d])",
    re.IGNORECASE,
)
# 030 1234567 / 0171 7654321, but not 030 / 12 34 56.
_SEVERAL = re.compile(r"\s*(?::::|[;,|\n]|\s/\s|\b(?:or|and|oder|und|ou|et|y|o|of|en)\b)\s*")
_LONG = 6
# Results of broken formulas, as Excel in our languages and LibreOffice save them.
_ERRORS = (
    "#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #GETTING_DATA "
    "#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #VALEUR! #NOM? #NOMBRE! #NUL! #PROPAGATION! #N/D #¡REF! #¡VALOR! "
    "#¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO! #¡DESBORDAMIENTO! #RIF! #VALORE! #NOME? #NULLO! #N/B #VERW! #WAARDE! #NAAM? "
    "#DEEL/0! #GETAL! #LEEG! Err:502 Err:504 Err:508 Err:509 Err:511 Err:522 Err:523"
)
FORMULA_ERRORS = frozenset(_ERRORS.split())
_QUOTED = re.compile(r'\s*"[^"]*"\s*')
# Chinese, Japanese and Korean names begin with the family's.
_FAMILY_FIRST = re.compile(r"[\u4e00-\u9fff\uac00-\ud7af々]+\s+\S+$")
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "phd", "md", "esq", "mba", "inc", "llc", "ltd", "gmbh", "ag", "sa"}


def visible(cell: str) -> str:
    """The cell without hidden characters, NFKC for full-width signs."""
    return _SPACES.sub(" ", _HIDDEN.sub("", cell)).strip()


def email(cell: str) -> tuple[str | None, str]:
    """(address, rest of the cell that was left out); raises Invalid without an address."""
    if len(cell) > _LONGEST:
        refuse("invalid_email")
    text = unicodedata.normalize("NFKC", visible(cell)).removeprefix("mailto:").removeprefix("MAILTO:")
    text = _AT.sub("@", text).strip(_AROUND)
    try:
        return _EMAIL.load(text), ""
    except Invalid:
        found = _ADDRESS.findall(text)
    if not found:
        refuse("invalid_email")
    first, *others = (address.strip(_AROUND).partition("?")[0] for address in found)
    return _EMAIL.load(first), " ".join(other for other in others if other != first)


def phone(cell: str) -> tuple[str | None, str]:
    """(number as typed, rest of the cell that was left out); raises Invalid without one."""
    if len(cell) > _LONGEST:
        refuse("invalid_phone")
    text = visible(cell)
    if formula := _FORMULA.fullmatch(text):
        text = formula[1]
    if word := _PHONE_WORD.match(text):
        text = text[word.end() :]
    if number := _NUMBER.fullmatch(text):
        text = number[1]
    if power := _SCIENTIFIC.fullmatch(text):
        digits = power[1] + (power[2] or "")
        # The spreadsheet has rounded the number.
        if len(digits) != int(power[3]) + 1:
            refuse("invalid_phone")
        text = digits
    several = [part for part in _SEVERAL.split(text) if part]
    first, *others = several if all(_digits(part) >= _LONG for part in several) else [text]
    if _digits(first) < 3 or not first.strip("0 "):
        refuse("invalid_phone")
    return first, " ".join(others)


def tags(cell: str) -> str:
    """Tags without the quotes and stars of programs."""
    parts = re.split(r":::|[,;\n]", cell)
    if all(_QUOTED.fullmatch(part) for part in parts) or ":::" in cell or cell.startswith("* "):
        parts = [part.strip().removeprefix("* ").strip('" ') for part in parts]
    return ",".join(parts)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def full_name(name: str) -> tuple[str, str | None]:
    """(first name, last name) of "First Last", "Last, First" or 山田 太郎."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma and last and first and "," not in first and re.sub(r"\W", "", first.casefold()) not in _SUFFIXES:
        return first, last
    if _FAMILY_FIRST.match(name):
        last, first = name.split(maxsplit=1)
        return first, last
    first, *rest = name.rsplit(maxsplit=1)
    return first, rest[0] if rest else None


def local_part(address: str) -> str:
    return address.partition("@")[0]
