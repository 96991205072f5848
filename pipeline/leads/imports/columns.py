"""The columns of leads in files."""

import csv

from pipeline.leads.schemas import Lead
from pipeline.validation import Violation
from pipeline.validation.errors import Problem

# The fields of the body in its order. Own fields have columns of their own.
COLUMNS = tuple(name for name in Lead().fields if name != "fields")
# Columns of the export that identify a lead and its version.
IDENTITY = ("id", "created_at", "updated_at")
EXPORTED = (*IDENTITY, *COLUMNS)
FULL_NAME = "name"
MAX_ROWS, MAX_COLUMNS = 100_000, 1_000
# Maximum characters of a cell; more text follows a quote that is never closed.
LONGEST_CELL = 32 * 1024

csv.field_size_limit(LONGEST_CELL)


def storable(text: str) -> str:
    """A text of a file for reports and labels, with ? for bytes that are no character and for the character zero."""
    return text.encode(errors="replace").decode().replace("\0", "?")


def refused(code: str, message: str, violation: str | None = None, name: str = "file") -> Problem:
    """Returns the 422 for a file."""
    return Problem(code, message, [Violation(name, violation or code, message)])
