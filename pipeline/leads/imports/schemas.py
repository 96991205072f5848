"""Queries of imports."""

from typing import Any

from pipeline.database import loads
from pipeline.leads.imports.headers import FIELDS
from pipeline.leads.imports.own_cells import OWN
from pipeline.leads.imports.reading.encodings import ENCODINGS
from pipeline.validation import Choice, Choices, Query, QueryBoolean, Schema, Text, optional, refuse
from pipeline.validation.types import Written, enumerated


def _is_own(field: Any) -> bool:
    return isinstance(field, str) and field.startswith(OWN)


class ColumnMapping(Written):
    """A JSON object of headers with fields; null ignores a column."""

    def read(self, given: Any) -> dict[str, str | None]:
        try:
            mapping = loads(given)
        except (ValueError, RecursionError):
            mapping = None
        if not isinstance(mapping, dict):
            refuse("wrong_type", wanted='a JSON object such as {"Customer": "company"}')
        if any(field is not None and field not in FIELDS and not _is_own(field) for field in mapping.values()):
            refuse("invalid_choice", choices=enumerated(FIELDS))
        return mapping

    def describe(self) -> Schema:
        return {"type": "string"}


RESULTS = ("created", "updated", "unchanged", "skipped", "conflict", "failed")


class LeadFile(Query):
    """How the file of an import is read."""

    mapping = optional(ColumnMapping())
    encoding = optional(Choice(*ENCODINGS))
    sheet = optional(Text())


class LeadImport(LeadFile):
    """Import options."""

    dry_run = optional(QueryBoolean(), default=False)
    on_duplicate = optional(Choice("skip", "update", "create"), default="skip")
    blank = optional(Choice("keep", "clear"), default="keep")
    conflicts = optional(Choice("skip", "overwrite"), default="skip")
    result = optional(Choices(*RESULTS))
    create_fields = optional(QueryBoolean(), default=False)
