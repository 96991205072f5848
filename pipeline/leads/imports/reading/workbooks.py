"""Reads a sheet of an Excel workbook in a process with limits."""

import io
from pathlib import Path
from typing import IO

from pipeline.files.inspection import inspected
from pipeline.leads.imports.columns import refused
from pipeline.leads.imports.reading.sheets.sheet import LONGEST, MISSING

# First bytes of ZIP (Excel, Numbers, LibreOffice) and OLE (old Excel) files.
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FOLDER = Path(__file__).parent
SAVE = "Save it as XLSX or CSV UTF-8, and send that file."


def is_workbook(file: IO[bytes]) -> bool:
    """Whether a file is a workbook; raises 422 for one of an old kind."""
    file.seek(0)
    start = file.read(8)
    file.seek(0)
    if start.startswith(_OLE):
        raise refused("unsupported_file", f"This is a workbook of an old kind, or it has a password. {SAVE}")
    return start.startswith(_ZIP)


def sheet_text(file: IO[bytes], sheet: str | None) -> IO[str]:
    """The CSV of the first visible or the named sheet; raises 422 for an unknown or unreadable one, 503 if busy."""
    text = inspected("sheets.sheet", sheet or "", file, _FOLDER, LONGEST + 1)
    if not text or len(text) > LONGEST:
        raise refused("unsupported_file", f"The workbook is damaged, too large or of another program. {SAVE}")
    if text.startswith(MISSING):
        names = text.removeprefix(MISSING)
        raise refused("unsupported_file", f"The workbook has no such sheet, but: {names}.", "unknown_key", "sheet")
    return io.StringIO(text, newline="")
