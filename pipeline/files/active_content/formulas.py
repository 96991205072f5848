"""Checks Excel formulas: they may calculate, but not load or start anything."""

import re

from .obstacles import LINKED, Obstacle

_TEXT = re.compile(r'"(?:[^"]|"")*"')
_PREFIX = r"(?<![a-z0-9_.:$])(?:_xlfn\.|_xlws\.)*"
# A function may also be another one's argument.
_CALL = re.compile(
    _PREFIX + r"(?:webservice|image|rtd|dde|call|register(?:\.id)?|exec|execute|run|sql\.request|py|stockhistory"
    r"|import\w+|cube\w+)\s*(?:[(,)]|$)|_xll\.|_xludf\.(?!dummyfunction)",
    re.I,
)
_LINK = re.compile(_PREFIX + r'hyperlink\s*\(\s*(?:"([^"]*)")?', re.I)
_ADDRESS = re.compile(r"\s*(?:https?:|mailto:|tel:|#)", re.I)
_OUTSIDE = re.compile(r"://|\\\\|file:|\[[^\]]*\.\w{2,4}\]", re.I)
# A sheet's name may contain any character.
_SHEET = re.compile(r"'(?:[^']|'')*'(?=!)")
_DDE = re.compile(r"\w\s*'?\|")


def judge(formula: str) -> None:
    """Raises Obstacle for an active formula."""
    without = _TEXT.sub('""', formula)
    if _DDE.search(_SHEET.sub("", without)):
        raise Obstacle("a formula that starts a program (DDE)")
    if call := _CALL.search(without):
        raise Obstacle(f"a formula that reaches out of the workbook ({call[0].strip(' (,)').upper()[:40]})")
    if _OUTSIDE.search(without):
        raise Obstacle("data of another workbook")
    for link in _LINK.finditer(formula):
        if link[1] is None or not _ADDRESS.match(link[1]):
            raise Obstacle(LINKED)
