"""Warnings about executed copies."""

from typing import IO

from pipeline.files.content import PDF
from pipeline.files.inspection import Finding, text_holds

MESSAGES = {
    Finding.ABSENT: ("number_not_in_copy", "The text of the executed copy does not contain the number {number}."),
    Finding.UNREAD: (
        "number_not_checked",
        "The executed copy has no readable text (a scan, for example), so the number {number} was not searched.",
    ),
}


def copy_warnings(number: str, kind: str, file: IO[bytes]) -> list[dict[str, str]]:
    """`{code, message}` for a PDF without the contract's number; `kind` is its media type."""
    found = text_holds(number, file) if kind == PDF else Finding.PRESENT
    if found not in MESSAGES:
        return []
    code, message = MESSAGES[found]
    return [{"code": code, "message": message.format(number=number)}]
