"""Cells of a CSV file that a spreadsheet would run as formulas: made harmless by an export, as before by an import."""

import re

# An apostrophe of ours: where a spreadsheet may start a cell (it splits at a comma, a semicolon or a tab), and before
# what it would run, blanks and quotes included. SQL's csv_text puts them in by the same rule, so none is lost or left.
_BEFORE = r"""['" \x01-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*"""
_SIGN = r"[=+@\uff0b\uff0d\uff1d\uff20-]"
_QUOTED = re.compile(rf"\A'(?={_BEFORE}[\t\r])|(?:\A|(?<=[,;\t\n\r]))'(?={_BEFORE}{_SIGN})")
_UNQUOTED = re.compile(_QUOTED.pattern.replace("'(?=", "(?=", 2))


def quote(cell: str) -> str:
    """The cell with an apostrophe wherever a spreadsheet would start a formula, as SQL's csv_text puts them in."""
    return _UNQUOTED.sub("'", cell)


def unquote(cell: str) -> str:
    """The cell without the apostrophes that keep a spreadsheet from running it, or a part of it, as a formula."""
    return _QUOTED.sub("", cell) if "'" in cell else cell
