"""CSV cells that spreadsheets would run as formulas."""

import re

# The apostrophe starts a cell (also after comma, semicolon or tab), before blanks, quotes and a sign. Keep SQL's
# csv_text alike.
_BEFORE = r"""['" \x01-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*"""
_SIGN = r"[=+@\uff0b\uff0d\uff1d\uff20-]"
_QUOTED = re.compile(rf"\A'(?={_BEFORE}[\t\r])|(?:\A|(?<=[,;\t\n\r]))'(?={_BEFORE}{_SIGN})")
_UNQUOTED = re.compile(_QUOTED.pattern.replace("'(?=", "(?=", 2))


def quote(cell: str) -> str:
    """The cell with an apostrophe before each formula."""
    return _UNQUOTED.sub("'", cell)


def unquote(cell: str) -> str:
    """The cell without those apostrophes."""
    return _QUOTED.sub("", cell) if "'" in cell else cell
