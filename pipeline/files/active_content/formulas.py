"""Formulas of an Excel workbook: those that calculate are allowed, those that load or start something are not."""

import re

from .office_lists import LINK, LINKED, Found

_TEXT = re.compile(r'"(?:[^"]|"")*"')
_PREFIX = r"(?<![a-z0-9_.])(?:_xlfn\.|_xlws\.)*"
_CALL = re.compile(
    _PREFIX + r"(?:webservice|image|rtd|dde|call|register(?:\.id)?|exec|execute|run|sql\.request|py|stockhistory"
    r"|import\w+|cube\w+)\s*\(|_xll\.|_xludf\.(?!dummyfunction)",
    re.I,
)
_LINK = re.compile(_PREFIX + r'hyperlink\s*\(\s*(?:"([^"]*)")?', re.I)
_OUTSIDE = re.compile(r"://|\\\\|file:|\[[^\]]*\.\w{2,4}\]", re.I)
_DDE = re.compile(r"\w\s*'?\|")


def judge(formula: str) -> None:
    """Raise Found for a formula that loads or starts something."""
    without = _TEXT.sub('""', formula)
    if _DDE.search(without):
        raise Found("a formula that starts a program (DDE)")
    if call := _CALL.search(without):
        raise Found(f"a formula that reaches out of the workbook ({call[0].strip(' (').upper()[:40]})")
    if _OUTSIDE.search(without):
        raise Found("data of another workbook")
    for link in _LINK.finditer(formula):
        if link[1] is None or not LINK.match(link[1].strip()):
            raise Found(LINKED)
