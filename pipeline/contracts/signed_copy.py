"""Warnings about executed copies."""

from typing import IO

from pipeline.files.content import PDF
from pipeline.files.inspection import Finding, text_holds

MESSAGES = {
    Finding.ABSENT: ("number_not_in_copy", "The text of the executed copy does not hold the number {number}."),
    Finding.UNREAD: (
        "number_not_checked",
        "The executed copy has no text that can be read, as a scan has none: the number {number} was not looked for.",
    ),
}


def copy_warnings(number: str, kind: str, file: IO[bytes]) -> list[dict[str, str]]:
    """`{code, message}` for a PDF without the contract's number; `kind` is its media type."""
    found = text_holds(number, file) if kind == PDF else Finding.PRESENT
    if found not in MESSAGES:
        return []
    code, message = MESSAGES[found]
    return [{"code": code, "message": message.format(number=number)}]
