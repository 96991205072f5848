"""Finds formulas in CSV files with every delimiter, since locales differ."""

import csv
import io
import re
import sys
from collections.abc import Iterator
from typing import BinaryIO

DELIMITERS = ",;\t"
# Blanks and quotes that spreadsheets skip, and formula signs; an apostrophe marks a text.
BLANK = r"""[" \x01-\x20\x7f-\xa0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"""
FORMULA = re.compile(rf"{BLANK}*([=+@\uff0b\uff0d\uff1d\uff20-])(.*)", re.S)
NUMBER = re.compile(r"[\d\s().,/%-]*")
# Without these a formula is harmless.
ACTIVE = re.compile(r"[(|!\[\\=*{&]|://")
EQUALS = ("=", "\uff1d")
# ASCII stays in each; only these have full-width signs of formulas.
ENCODINGS = ("latin-1", "utf-8-sig", "cp932", "gb18030", "big5")
# A first line may declare another delimiter.
SEPARATOR = re.compile(r'"?sep=([^"\r\n])', re.I)
# Spreadsheets open such a text as SYLK, whatever its extension.
SYLK = re.compile(r"^C;[^\r\n]*;[EK]", re.M)


def inspect(file: BinaryIO, _kind: str) -> str | None:
    """The place of the first formula, or None."""
    csv.field_size_limit(sys.maxsize)
    return next(filter(None, map(_formula_in, _readings(file.read()))), None)


def _readings(data: bytes) -> Iterator[str]:
    """Yields the text, or one in another encoding than Unicode as several programs read it."""
    try:
        yield data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        yield from (data.decode(encoding, "replace") for encoding in ENCODINGS)


def _formula_in(text: str) -> str | None:
    if text.startswith("ID;P") and SYLK.search(text):
        return "another format (SYLK) than CSV"
    named = SEPARATOR.match(text)
    # Also by delimiters that do not occur: they decide which quotes hold a line end.
    for delimiter in {*DELIMITERS, *(named[1] if named else "")}:
        for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 1):
            for place, cell in enumerate(row, 1):
                if cell and not cell[0].isalnum() and _is_formula(cell):
                    return f"a formula in row {number}, cell {place}"
    return None


def _is_formula(cell: str) -> bool:
    """Whether a spreadsheet runs a cell; not numbers or text after a dash."""
    formula = FORMULA.match(cell)
    if formula is None or NUMBER.fullmatch(formula[2]) and formula[1] not in EQUALS:
        return False
    return formula[1] in EQUALS or ACTIVE.search(formula[2]) is not None
